import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import type { Language } from '../wording/language.ts'

/** Browsers send a hundred; sixty thousand would take a second to be weighed. */
const longestPreference = 500

/** The choices at the beginning of a preference that is longer than anybody's. */
export function bounded(preference: string): string {
  if (preference.length <= longestPreference) return preference
  return preference.slice(0, Math.max(0, preference.lastIndexOf(',', longestPreference)))
}

function preferencesOf({ headers }: IncomingMessage): Negotiator {
  const { accept, 'accept-language': language } = headers
  return new Negotiator({
    headers: {
      ...(accept === undefined ? {} : { accept: bounded(accept) }),
      ...(language === undefined ? {} : { 'accept-language': bounded(language) }),
    },
  })
}

/** The language that `Accept-Language` prefers; English when it knows none of ours (answers §2). */
export function languageOf(request: { readonly raw: IncomingMessage }): Language {
  return preferencesOf(request.raw).language(['en', 'pl']) === 'pl' ? 'pl' : 'en'
}

/** The language that `Accept-Language` asks for; null when the request prefers none of ours. */
export function askedLanguageOf(request: { readonly raw: IncomingMessage }): Language | null {
  const asked = request.raw.headers['accept-language']?.trim() ?? '*'
  const [first] = asked === '*' ? [] : preferencesOf(request.raw).languages(['en', 'pl'])
  return first === 'en' || first === 'pl' ? first : null
}

/** Browsers that follow a link want a page; whoever takes anything gets JSON. */
export function prefersPage(request: { readonly raw: IncomingMessage }): boolean {
  return preferencesOf(request.raw).mediaType(['application/json', 'text/html']) === 'text/html'
}
