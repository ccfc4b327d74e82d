import type { Frame, Locator, Page } from 'playwright-core'
import type { Visit } from '../browser/visit.ts'

/** Drawn text cannot be searched, so these are covered whole. */
const fields = 'input, textarea, select, canvas, [contenteditable]'

/** Covers every field in the picture of a window, and every place that shows a secret. */
export function coverSecrets({ page, masked }: Visit, secrets: readonly string[]): void {
  const covers = new Map<Frame, readonly Locator[]>()
  const cover = (frame: Frame): void => {
    const locators = [frame.locator(fields), ...secrets.map((secret) => frame.getByText(secret))]
    covers.set(frame, locators)
    masked.push(...locators)
  }
  // A frame that is gone would make the picture fail.
  const uncover = (frame: Frame): void => {
    for (const locator of covers.get(frame) ?? []) masked.splice(masked.indexOf(locator), 1)
    covers.delete(frame)
  }
  const coverWindow = (window: Page): void => {
    for (const frame of window.frames()) cover(frame)
    window.on('frameattached', cover)
    window.on('framedetached', uncover)
  }
  for (const window of page.context().pages()) coverWindow(window)
  page.context().on('page', coverWindow)
}
