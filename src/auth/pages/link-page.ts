import { html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { pageText } from '../../wording/texts.ts'
import type { LoginPage } from './page.ts'

/** The page behind a link in a message. */
export interface LinkPage {
  readonly status: number
  readonly page: LoginPage
}

/** A person who followed a link, or pressed the button of its page. */
export interface Followed {
  readonly token: string
  readonly language: Language
  readonly now: number
  /** The fields sent with the button. */
  readonly form?: URLSearchParams | null
}

/** A page with a single message. */
export function plainPage(language: Language, title: string, message: string): LinkPage {
  return { status: 200, page: { language, title, content: html`<p>${message}</p>` } }
}

export function brokenLink(language: Language): LinkPage {
  const page = plainPage(language, pageText('broken_link_title', language), pageText('link_is_over', language))
  return { ...page, status: 404 }
}
