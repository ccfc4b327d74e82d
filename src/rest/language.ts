import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import type { Language } from '../wording/language.ts'

/** The language that `Accept-Language` prefers; English when it knows none of ours (choices §2). */
export function languageOf(request: { readonly raw: IncomingMessage }): Language {
  return new Negotiator(request.raw).language(['en', 'pl']) === 'pl' ? 'pl' : 'en'
}
