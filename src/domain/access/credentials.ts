/** A username: 3 to 64 of `a-zA-Z0-9._@-` (answers §4). Case is ignored in comparisons. */
export const usernamePattern = /^[a-zA-Z0-9._@-]{3,64}$/

/** Length of a password in characters (answers §4). */
export const passwordLength = { minimum: 8, maximum: 256 } as const

export function isUsername(text: string): boolean {
  return usernamePattern.test(text)
}

/** Checks the length alone, in characters rather than bytes or UTF-16 units (answers §4). */
export function isPassword(text: string): boolean {
  const characters = Array.from(text).length
  return characters >= passwordLength.minimum && characters <= passwordLength.maximum
}

/** The life of a session after its last call, in seconds (answers §5). */
export const expirationDuration = { default: 3600, minimum: 60, maximum: 31_536_000 } as const
