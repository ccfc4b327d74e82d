import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import type { Language } from '../wording/language.ts'

/** The language that `Accept-Language` prefers; English when it knows none of ours (choices §2). */
export function languageOf(request: { readonly raw: IncomingMessage }): Language {
  return new Negotiator(request.raw).language(['en', 'pl']) === 'pl' ? 'pl' : 'en'
}

/** Browsers that follow a link want a page; whoever takes anything gets JSON. */
export function prefersPage(request: { readonly raw: IncomingMessage }): boolean {
  return new Negotiator(request.raw).mediaType(['application/json', 'text/html']) === 'text/html'
}
