/** The first parts of the console's paths; the application in `web/` distinguishes them further. */
export const consoleSections = [
  'services',
  'welcome',
  'calendar',
  'reports',
  'wallboard',
  'wallboards',
  'status-pages',
  'notifications',
  'on-call',
  'stations',
  'account',
  'admin',
  'installation',
] as const

/** The path of a wallboard's link. */
export const sharedWallboardPath = '/wallboard/shared'

const section = new RegExp(`^/(?:(?:${consoleSections.join('|')})(?:/[^?#]*)?)?$`)

/** True if the console has a page at this path. */
function isConsolePath(path: string): boolean {
  return section.test(path)
}

/** The page after a login: the requested page of the console and nothing else, so that no link to us ends elsewhere. */
export function destinationOf(asked: string): string {
  const base = 'http://localhost'
  if (!asked.startsWith('/') || !URL.canParse(asked, base)) return '/'
  const { origin, pathname, search } = new URL(asked, base)
  return origin === base && isConsolePath(pathname) ? pathname + search : '/'
}

/** The path of PUBLIC_URL, without a slash at its end. */
export const pathPrefix = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
