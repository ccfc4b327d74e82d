/** The oldest Node.js that the program runs on, as package.json says it. */
const oldest = { major: 20, minor: 19 } as const

/** What a person with an older Node.js is told; null where it will do. Imports nothing: an older one might not even load the rest. */
export function nodeRefusal(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < oldest.major || (major === oldest.major && minor < oldest.minor)
  return isOld ? `latarnik: Node.js ${version} is too old; it needs ${oldest.major}.${oldest.minor} or newer.` : null
}

/** What a person is told whose packages were not installed, or not since the program became newer; null when it is something else. */
export function missingPackage(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return null
  const [, name] = /^Cannot find package '([^']+)'/.exec(error.message) ?? []
  return name === undefined ? null : `latarnik: The package ${name} is not installed: run npm ci first.`
}
