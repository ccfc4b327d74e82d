import type { ManagedState } from '../domain/configuration/managed-key.ts'
import { isObject } from '../domain/input/json.ts'
import type { Field } from '../rest/fields.ts'
import type { Definition } from './definitions.ts'
import type { Fingerprints } from './fingerprints.ts'
import type { Installed } from './installation.ts'
import { digest, isEqual, type Leaf, leavesOf, secretName } from './values.ts'

/** Why a value is not as the files want it. */
export type Cause =
  /** The files were changed, or say it for the first time. */
  | 'files'
  /** Somebody changed it by hand since it was applied. */
  | 'hand'
  /** Both. */
  | 'both'

export interface Difference extends Leaf {
  readonly before: unknown
  readonly cause: Cause
  /** The words in place of the values; null: they may be shown. */
  readonly hidden: string | null
  /** A secret of which nobody knows whether it differs. */
  readonly isUnknown: boolean
}

interface Comparing {
  readonly definition: Definition
  /** With others named as the API names them. */
  readonly values: Readonly<Record<string, unknown>>
  readonly current: Installed | null
  readonly fingerprints: Fingerprints
}

export function shownValue({ row }: Installed, { path, member }: Pick<Leaf, 'path' | 'member'>): unknown {
  const value = row[member]
  if (path === member) return value
  return isObject(value) ? value[path.slice(member.length + 1)] : undefined
}

export function secretsOf({ kind, values }: Definition, current: Installed | null): readonly string[] {
  return kind.configuration.secrets?.({ ...current?.row, ...values }) ?? []
}

/** An entry has the digest of what was written, and another one where the API shows that in other words. */
export function entryOf(field: Field, written: unknown, shown: unknown): string {
  const own = digest(field, written)
  return isEqual(field, written, shown) ? own : `${own} ${digest(field, shown)}`
}

export function compare({ definition, values, current, fingerprints }: Comparing): readonly Difference[] {
  const secrets = secretsOf(definition, current)
  return leavesOf(definition.kind, values).flatMap((leaf): readonly Difference[] => {
    const hidden = definition.hidden.get(leaf.path) ?? null
    if (secrets.includes(leaf.path)) return secretDifference(leaf, { current, fingerprints, hidden })
    const before = current === null ? null : shownValue(current, leaf)
    const entry = current?.state[leaf.path]
    if (current !== null && isAsApplied(leaf, before, entry)) return []
    return [{ ...leaf, before, cause: causeOf(leaf, before, entry), hidden, isUnknown: false }]
  })
}

function isAsApplied({ field, value }: Leaf, before: unknown, entry: string | undefined): boolean {
  return isEqual(field, value, before) || entry === `${digest(field, value)} ${digest(field, before)}`
}

function causeOf({ field, value }: Leaf, before: unknown, entry: string | undefined): Cause {
  if (entry === undefined) return 'files'
  const [written = '', shown = written] = entry.split(' ')
  const isFileSame = digest(field, value) === written
  const isSame = digest(field, before) === shown
  if (isFileSame) return 'hand'
  return isSame ? 'files' : 'both'
}

interface SecretFacts {
  readonly current: Installed | null
  readonly fingerprints: Fingerprints
  readonly hidden: string | null
}

function secretDifference(leaf: Leaf, { current, fingerprints, hidden }: SecretFacts): readonly Difference[] {
  const { path, value } = leaf
  // Null keeps a secret, whatever it is.
  if (value === null) return []
  const isSet = current?.setSecrets.includes(secretName(path)) === true
  if (value === '') return isSet ? [{ ...leaf, before: null, cause: 'files', hidden: 'removed', isUnknown: false }] : []
  const entry: ManagedState[string] | undefined = current?.state[path]
  const isKnown = isSet && entry !== undefined
  if (isKnown && entry === fingerprints.of(String(value))) return []
  const isUnknown = isSet && entry === undefined
  return [{ ...leaf, before: null, cause: 'files', hidden: hidden ?? 'a secret', isUnknown }]
}
