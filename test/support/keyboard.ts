import type { Page } from 'playwright-core'

/** Presses Tab until what is wanted has the focus. */
export async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press('Tab')
    if (await page.locator(`${wanted}:focus`).count()) return
  }
  throw new Error(`Tab never leads to ${wanted}.`)
}

/** The four looks that every screen is examined in. */
export const looks = [
  { width: 1280, height: 900, colorScheme: 'light', language: 'en' },
  { width: 1280, height: 900, colorScheme: 'dark', language: 'pl' },
  { width: 360, height: 740, colorScheme: 'light', language: 'pl' },
  { width: 360, height: 740, colorScheme: 'dark', language: 'en' },
] as const
