import { isObject } from '../input/json.ts'
import { plainLetters } from '../text/plain-letters.ts'

/** The names by which configuration as code knows its objects. */

const keyPart = '[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?'

/** The key of an object in a file. */
export const fileKeyPattern = new RegExp(`^${keyPart}$`)

/** The stored key: that of a part stands behind the key of its object, `anna/mail`. */
export const managedKeyPattern = new RegExp(`^${keyPart}(?:/${keyPart}){0,2}$`)

export const longestManagedKey = 300

/** The mark of a configuration. */
export const managedByPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._:/-]{0,98}[A-Za-z0-9])?$/

/** The mark of a configuration that names none. */
export const usualMark = 'latarnik'

/** Digests of what was set, by path; those of secrets begin with `s:`. */
export type ManagedState = Readonly<Record<string, string>>

/** The path, of no member, that tells that the object was adopted: somebody else made it. */
export const adoptedPath = '@adopted'

const longestPath = 200
const longestDigest = 100
const mostDigests = 500

export function isManagedState(value: unknown): value is ManagedState {
  if (!isObject(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length <= mostDigests &&
    entries.every(
      ([path, digest]) => path.length <= longestPath && typeof digest === 'string' && digest.length <= longestDigest,
    )
  )
}

/** A key made of a name: `Sklep – Łódź` is `sklep-lodz`; of one without letters or digits, the alternative. */
export function keyOfName(name: string, otherwise: string): string {
  const plain = plainLetters(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    // One hyphen at most is left at either end.
    .replace(/^-/, '')
    .replace(/-$/, '')
  return plain === '' ? otherwise : plain
}
