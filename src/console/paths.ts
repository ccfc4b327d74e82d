/** The first parts of the paths that the console shows; the application in `web/` tells them apart further. */
export const consoleSections = [
  'services',
  'welcome',
  'calendar',
  'reports',
  'wallboard',
  'wallboards',
  'notifications',
  'on-call',
  'stations',
  'account',
  'admin',
  'installation',
] as const

/** What the link of a wallboard leads to. */
export const sharedWallboardPath = '/wallboard/shared'

const section = new RegExp(`^/(?:(?:${consoleSections.join('|')})(?:/[^?#]*)?)?$`)

/** Whether the console shows something at this path. */
function isConsolePath(path: string): boolean {
  return section.test(path)
}

/** Where a login leads: a page of the console as it was asked for, and nothing else, so that no link to us ends elsewhere. */
export function destinationOf(asked: string): string {
  const base = 'http://localhost'
  if (!asked.startsWith('/') || !URL.canParse(asked, base)) return '/'
  const { origin, pathname, search } = new URL(asked, base)
  return origin === base && isConsolePath(pathname) ? pathname + search : '/'
}

/** The path of PUBLIC_URL, without a slash at its end. */
export const pathPrefix = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
