import type { Frame, Locator } from 'playwright-core'
import type { Visit } from '../browser/visit.ts'

const fields = 'input, textarea, select, [contenteditable]'

/** In a picture of the page every field is covered, and every place where a secret is written. */
export function coverSecrets({ page, masked }: Visit, secrets: readonly string[]): void {
  const covers = new Map<Frame, readonly Locator[]>()
  const cover = (frame: Frame): void => {
    const locators = [frame.locator(fields), ...secrets.map((secret) => frame.getByText(secret))]
    covers.set(frame, locators)
    masked.push(...locators)
  }
  // A frame that is gone would spoil the picture.
  const uncover = (frame: Frame): void => {
    for (const locator of covers.get(frame) ?? []) masked.splice(masked.indexOf(locator), 1)
    covers.delete(frame)
  }
  for (const frame of page.frames()) cover(frame)
  page.on('frameattached', cover)
  page.on('framedetached', uncover)
}
