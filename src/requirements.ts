/** The oldest Node.js that the program runs on, the same as in package.json. */
const oldest = { major: 20, minor: 19 } as const

/**
 * The message for a person with an older Node.js; null if it is new enough. Imports nothing, because an older one might
 * fail to load the rest.
 */
export function nodeRefusal(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < oldest.major || (major === oldest.major && minor < oldest.minor)
  return isOld ? `latarnik: Node.js ${version} is too old; it needs ${oldest.major}.${oldest.minor} or newer.` : null
}

/** The message if packages are not installed, or were not updated with the program; null for any other error. */
export function missingPackage(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return null
  const [, name] = /^Cannot find package '([^']+)'/.exec(error.message) ?? []
  return name === undefined ? null : `latarnik: The package ${name} is not installed: run npm ci first.`
}
