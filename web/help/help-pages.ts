import type { Language } from '../words/words.ts'

/** The document that explains each screen; the first pattern that fits a path decides. Empty: the first page. */
const helpPages: readonly (readonly [place: RegExp, page: string])[] = [
  [/^\/services\/new$/, 'guide/first-steps.html'],
  [/^\/services\/\d+\/edit$/, 'checks.html'],
  [/^\/services\/\d+\/(failures|analyses)\//, 'guide/failures.html'],
  [/^\/services\/\d+(\/service-level)?$/, 'guide/failures.html'],
  [/^\/(services)?$/, 'guide/first-steps.html'],
  [/^\/calendar$/, 'guide/maintenance.html'],
  [/^\/reports(\/\d+)?$/, 'api/reports.html'],
  [/^\/wallboards?$/, 'api/wallboards.html'],
  [/^\/status-pages(\/(new|\d+))?$/, 'guide/status-page.html'],
  [/^\/notifications\/templates(\/[^/]+)?$/, 'templates.html'],
  [/^\/notifications$/, 'guide/alerts.html'],
  [/^\/[a-z-]+\/addresses\/\d+$/, 'channels/index.html'],
  [/^\/on-call$/, 'escalations.html'],
  [/^\/stations$/, 'operations.html#stations-far-away'],
  [/^\/admin(\/.*)?$/, 'operations.html'],
  [/^\/installation$/, 'operations.html#watching-latarnik-itself'],
  [/^\/account\/security$/, 'passkeys.html'],
  [/^\/account\/keys$/, 'api-keys.html'],
  [/^\/account\/(audit-log|changes)$/, 'audit-log.html'],
  [/^\/account\/people$/, 'api/shares.html'],
  [/^\/account\/groups$/, 'api/groups.html'],
  [/^\/account\/package$/, 'api/packages.html'],
  [/^\/account(\/sessions)?$/, 'api/accounts.html'],
  [/^\/welcome$/, 'guide/first-steps.html'],
]

/** The guide is in each language, and so is the first page. */
const isTranslated = (page: string) => page === '' || page.startsWith('guide/')

/** @param place a path of the console, without the prefix of the installation */
export function helpPage(place: string, language: Language): string {
  const page = helpPages.find(([pattern]) => pattern.test(place))?.[1] ?? ''
  return language !== 'en' && isTranslated(page) ? `${language}/${page}` : page
}
