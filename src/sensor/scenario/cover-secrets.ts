import type { Frame, Page } from 'playwright-core'
import type { Visit } from '../browser/visit.ts'

const fields = 'input, textarea, select, [contenteditable]'

/** In a picture of the page every field is covered, and every place where a secret is written. */
export function coverSecrets({ page, masked }: Visit, secrets: readonly string[]): void {
  const cover = (frame: Frame): void => {
    masked.push(frame.locator(fields), ...secrets.map((secret) => frame.getByText(secret)))
  }
  const coverAll = (shown: Page): void => {
    for (const frame of shown.frames()) cover(frame)
    shown.on('frameattached', cover)
  }
  coverAll(page)
}
