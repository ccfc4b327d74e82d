import type { Language } from '../wording/language.ts'
import type { Notification } from './integration.ts'

/** A button in a message. It opens a page, and nothing happens before that page's own button is pressed. */
export interface LinkButton {
  readonly text: string
  readonly url: string
}

const words: Readonly<Record<Language, { readonly acknowledge: string; readonly details: string }>> = {
  en: { acknowledge: 'Acknowledge', details: 'Details' },
  pl: { acknowledge: 'Potwierdź', details: 'Szczegóły' },
}

/** The buttons for a reader, the most urgent first. */
export function buttonsOf({ acknowledgeLink = null, link, language = 'en' }: Notification): readonly LinkButton[] {
  const { acknowledge, details } = words[language]
  return [
    ...(acknowledgeLink === null ? [] : [{ text: acknowledge, url: acknowledgeLink }]),
    ...(link === null ? [] : [{ text: details, url: link }]),
  ]
}

/** The button that acknowledges, alone, for messages whose title links to the details. */
export function acknowledgeButton(notification: Notification): LinkButton | null {
  return buttonsOf({ ...notification, link: null })[0] ?? null
}
