import sql, { type Sql } from 'sql-template-tag'
import { longestManagedKey, managedByPattern, managedKeyPattern } from '../domain/configuration/managed-key.ts'
import type { Problem } from '../domain/input/problem.ts'
import type { Row } from '../domain/queries/condition.ts'
import { type ColumnContext, json, list, text } from './fields.ts'

/** A member of an object in a file that names other objects. */
export interface ConfiguredReference {
  /** The resource of the named objects. */
  readonly to: string
  /** The member of the named object that is stored; default `id`. */
  readonly by?: string
  /** A name that stands in no file is right, too: sensors of the installation, tags. */
  readonly isOpen?: true
  /** The object stores a copy of the name: when the named object is renamed, the copy stays. */
  readonly isCopied?: true
}

/** How a resource appears in files of configuration as code. Its other members follow from its fields. */
export interface Configuration {
  /** For parts: the resource above, the member there that holds the parts by key, and the field with its id. */
  readonly within?: { readonly resource: string; readonly member: string; readonly field: string }
  /** By the path of the member: `group_id`, `steps.contact_ids`. */
  readonly references?: Readonly<Record<string, ConfiguredReference>>
  /** The owner of an object without a column of its own: that of the row of this table whose id is in the field. */
  readonly ownerOf?: { readonly table: string; readonly field: string }
  /** References, besides that to the object above or the owner, to objects whose deletion takes this one along. */
  readonly heldBy?: readonly string[]
  /** It may be deleted with what holds it, as a history is; otherwise that stays. */
  readonly goesAlong?: true
  /** Members whose own members a change merges one by one. */
  readonly merged?: readonly string[]
  /** Paths of the secrets that an object like this may have: accepted, never shown. */
  readonly secrets?: (row: Row) => readonly string[]
  /** Members of a field that an export leaves out, since they say what is so anyway: paths. */
  readonly usual?: (row: Row) => readonly string[]
  /** Fields that an export names even when they are empty, since a new object would have something else. */
  readonly explicit?: (row: Row) => readonly string[]
  /**
   * Objects of this kind with the same value of `by` decide the default of `member`, so a new object without it is
   * made after them.
   */
  readonly defaultFrom?: { readonly member: string; readonly kind: string; readonly by: string }
  /** The problems between members of one object that need no installation: a plan tells them. */
  readonly problems?: (row: Row) => readonly Problem[]
  /** Fields that files leave out. */
  readonly left?: readonly string[]
  /** The field that people know an object by; default `name`. */
  readonly title?: string
}

/** Null unless the caller's own accounts own the object: others need not know how it is managed. */
function ofOwnSide({ alias, caller }: ColumnContext, value: Sql): Sql {
  return sql`case when ${alias}.owner_id = any(${[...caller.account_ids]}::int[]) then ${value} end`
}

/** Null also for callers who may change nothing. */
function ofOwnWriters(context: ColumnContext, value: Sql): Sql {
  return ofOwnSide(context, sql`case when ${context.mayWrite}::boolean then ${value} end`)
}

/**
 * The names of secrets that an object has, since the secrets themselves are shown to nobody.
 *
 * @param stored the names of all its settings, as an array of texts
 * @param secretsOf the names of those that are secret, by the fields that it needs
 */
export function setSecretsField(
  stored: (context: ColumnContext) => Sql,
  { needs, secretsOf }: { readonly needs: readonly string[]; readonly secretsOf: (row: Row) => readonly string[] },
) {
  return list(text({}), {
    about: "Names of the secrets that are set. Null for callers who may not change it, and beyond the owner's side.",
    nullable: true,
    readOnly: true,
    computed: true,
    example: null,
    needs,
    column: (context) => ofOwnWriters(context, stored(context)),
    shown: (names, row) => {
      const secrets = secretsOf(row)
      return names === null ? null : (names as readonly string[]).filter((name) => secrets.includes(name)).toSorted()
    },
  })
}

const anyState = { type: ['object', 'null'], additionalProperties: { type: 'string' } } as const

/** The fields of every resource that files of configuration as code may hold. */
export const managedFields = {
  managed_key: text({
    about:
      "The object's key in configuration as code (docs/configuration-as-code.md), unique for the owner, the kind and `managed_by`; null: it is not managed as code. Shown to the owner's side alone.",
    nullable: true,
    filter: true,
    untypical: true,
    maximumLength: longestManagedKey,
    pattern: managedKeyPattern,
    detail: 'managed_key',
    example: null,
    column: (context) => ofOwnSide(context, sql`${context.alias}.managed_key`),
  }),
  managed_by: text({
    about: 'The mark of the configuration that manages the object; null with `managed_key`.',
    nullable: true,
    filter: true,
    untypical: true,
    maximumLength: 100,
    pattern: managedByPattern,
    detail: 'managed_by',
    example: null,
    column: (context) => ofOwnSide(context, sql`${context.alias}.managed_by`),
  }),
  managed_state: json({
    about:
      'Digests of what the configuration last set, by member: they tell its own changes from those made by hand. Null for callers who may not change anything.',
    nullable: true,
    untypical: true,
    schema: { written: anyState, shown: anyState },
    example: null,
    column: (context) => ofOwnWriters(context, sql`${context.alias}.managed_state`),
  }),
}
