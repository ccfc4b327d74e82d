/** The document that explains each screen; the first pattern that fits a path decides. Empty: the first page. */
const helpPages: readonly (readonly [place: RegExp, page: string])[] = [
  [/^\/services\/(new|\d+\/edit)$/, 'checks.html'],
  [/^\/services\/\d+\/(failures|analyses)\//, 'errors.html'],
  [/^\/services\/\d+\/service-level$/, 'api/history.html'],
  [/^\/services\/\d+$/, 'degraded.html'],
  [/^\/(services)?$/, 'tags.html'],
  [/^\/calendar$/, 'api/suspensions.html'],
  [/^\/reports(\/\d+)?$/, 'api/reports.html'],
  [/^\/wallboards?$/, 'api/wallboards.html'],
  [/^\/status-pages(\/(new|\d+))?$/, 'status-pages.html'],
  [/^\/notifications\/templates(\/[^/]+)?$/, 'templates.html'],
  [/^\/notifications$/, 'channels/index.html'],
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
  [/^\/welcome$/, ''],
]

/** @param place a path of the console, without the prefix of the installation */
export function helpPage(place: string): string {
  return helpPages.find(([pattern]) => pattern.test(place))?.[1] ?? ''
}
