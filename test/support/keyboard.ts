import type { Page } from 'playwright-core'

/** Presses Tab until what is wanted has the focus. */
export async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press('Tab')
    if (await page.locator(`${wanted}:focus`).count()) return
  }
  throw new Error(`Tab never leads to ${wanted}.`)
}
