import sql, { type Sql } from 'sql-template-tag'
import { newKey } from '../../auth/api-keys.ts'
import type { Executor } from '../../database/connect.ts'
import { tagIdsNamed } from '../../database/services/tags.ts'
import { keyProblems, mayHandle } from '../../domain/access/api-key.ts'
import type { Caller } from '../../domain/access/caller.ts'
import { type KeyScope, keyScopes, sortedScopes } from '../../domain/access/key-scopes.ts'
import { mayMakeForAccount, mayWrite } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { all, always, any, type Condition, oneOf } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import { one, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, type ColumnContext, identifier, integer, list, moment, text } from '../../rest/fields.ts'
import { readPage } from '../../rest/select.ts'
import { rotateApiKey } from './rotate-api-key.ts'

export interface ApiKey extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly owner_id: number
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly group_ids: readonly number[] | null
  readonly tags: readonly string[] | null
  readonly expires_at: number | null
  readonly can_confirm_itself: boolean
  readonly prefix: string
}

interface Facts {
  /** Groups of the body that the caller may read. */
  readonly groupIds: ReadonlySet<number>
  /** Identifiers of the tags of the body, by the place of their names; undefined for an unknown one. */
  readonly tagIds: readonly (number | undefined)[]
  readonly ofKey: readonly Problem[]
}

async function readableGroups(call: Call, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const { page } = await readPage(call.registry.get('groups'), call, {
    where: oneOf('id', ids),
    ...{ sort: [], limit: ids.length + 1, offset: 0, columns: ['id'], flags: [] },
  })
  const idAt = page.column('id')
  return new Set(Array.from({ length: page.length }, (_, place) => Number(idAt(place))))
}

async function facts(transaction: Executor, call: Call, given: Partial<ApiKey>, before: ApiKey | null): Promise<Facts> {
  const { caller, nowAt: now } = call
  const isForeign = before !== null && !mayHandle(caller, before.scopes)
  return {
    groupIds: await readableGroups(call, given.group_ids ?? []),
    tagIds: await tagIdsNamed(transaction, caller.account_ids, given.tags ?? []),
    ofKey: isForeign ? [{ error: 'forbidden' }] : keyProblems(given, { caller, now }),
  }
}

function unknownAt(field: string, isKnown: readonly boolean[]): readonly Problem[] {
  return isKnown.flatMap((known, place) =>
    known ? [] : [{ error: 'incorrect_value', field: `data.${field}[${place}]`, facts: { detail: 'object_of_owner' } }],
  )
}

/** Null for a key that is not narrowed to tags. */
function tagIdsOf(tags: readonly string[] | null | undefined, { tagIds }: Facts): readonly number[] | null {
  return tags === null || tags === undefined ? null : tagIds.flatMap((id) => id ?? [])
}

const write: Writing<ApiKey, Facts> = {
  countLimit: { count: countLimits.apiKeys, per: 'owner_id' },
  allowed: ({ caller }) => all(mayMakeForAccount(caller), always(caller.manager_id === null)),
  facts,
  complete: (given, before, known, { caller, nowAt }) => ({
    row: {
      ...given,
      ...(given.scopes === undefined ? {} : { scopes: sortedScopes(given.scopes) }),
      ...(before === null ? { ...newKey(), owner_id: caller.account_id, created_at: nowAt } : {}),
    },
    problems: [
      ...unknownAt(
        'group_ids',
        (given.group_ids ?? []).map((id) => known.groupIds.has(id)),
      ),
      ...unknownAt(
        'tags',
        known.tagIds.map((id) => id !== undefined),
      ),
    ],
  }),
  rules: (_row, { ofKey }) => ofKey,
  async insert(transaction, { caller }, row, known) {
    const expiresAt = row.expires_at == null ? null : new Date(row.expires_at)
    const [made] = await transaction.query<{ id: number }>(sql`
      insert into api_keys (owner_id, parent_account_id, name, scopes, group_ids, tag_ids, prefix, key_hash, created_at, expires_at,
        can_confirm_itself)
      values (${caller.account_id}, ${caller.is_sub_account ? caller.primary_account_id : null}, ${row.name}, ${[...row.scopes]}::text[], ${row.group_ids ?? null}::int[],
        ${tagIdsOf(row.tags, known)}::int[], ${row.prefix}, ${row['key_hash']}, ${new Date(Number(row['created_at']))},
        ${expiresAt}, ${row.can_confirm_itself ?? false}) returning id`)
    return { id: made?.id }
  },
  async changed(transaction, _call, row, before, known) {
    if (row.tags === before.tags) return
    await transaction.execute(
      sql`update api_keys set tag_ids = ${tagIdsOf(row.tags, known)}::int[] where id = ${row.id}`,
    )
  },
  revealed: {
    key: text({ about: 'Shown this once: `Authorization: Bearer KEY`.', example: 'lat_3sXlkuPxYgWyqvVcZJGk1Q' }),
  },
}

/** An account sees its own keys, and the main account those of its sub-accounts. */
function visible(caller: Caller): Condition {
  const own = oneOf('owner_id', [caller.account_id])
  return caller.is_sub_account ? own : any(own, oneOf('parent_account_id', [caller.account_id]))
}

function permissions(caller: Caller): Readonly<Record<string, Condition>> {
  const own = oneOf('owner_id', [caller.account_id])
  const isWriter = mayWrite(caller)
  return { own, read: visible(caller), update: all(isWriter, own), delete: any(own, all(isWriter, visible(caller))) }
}

/** Names of the tags that still exist. */
function tagNames({ alias }: ColumnContext): Sql {
  return sql`case when ${alias}.tag_ids is not null then array(
    select tags.name from tags where tags.id = any(${alias}.tag_ids) order by tags.name) end`
}

const stamp = { readOnly: true, nullable: true, filter: true, sort: true, example: null } as const

export const apiKeys = resource('api_keys', {
  about:
    'Credentials for programs: each opens a part of what its owner may do. Send one as `Authorization: Bearer KEY`, or exchange it at `/oauth/token` for an access token.',
  singular: 'API key',
  making: 'The answer has the key, this once: only a digest of it is stored. `prefix` is how you recognise it later.',
  access: 'any',
  source: table('api_keys'),
  fields: {
    id: identifier(),
    owner_id: integer({ about: 'Whose rights it has a part of.', readOnly: true, filter: true, sort: true }),
    name: text({
      ...{ required: true, minimumLength: 1, maximumLength: 200, filter: true, contains: true, sort: true },
      example: 'Deployments',
    }),
    scopes: list(text({ oneOf: keyScopes }), {
      about:
        'The operations that it opens. `read` and `write`: services, groups, history, catalogues and everything without a scope of its own. `notifications`: addresses, contacts, escalations, templates. `reports`: reports, their templates and addresses. `account`: accounts, their data, shares, sessions, keys, logins. `admin`: administration, for administrators.',
      ...{ required: true, maximumLength: keyScopes.length, filter: true, example: ['read'] },
    }),
    group_ids: list(integer({ minimum: 1 }), {
      about: 'It sees only these groups and their services; null: all. It makes services only there.',
      ...{ nullable: true, maximumLength: 100, example: null },
    }),
    tags: list(text({ minimumLength: 1, maximumLength: 50 }), {
      about:
        'It sees only services with one of these tags; null: all. With `group_ids`, both must hold. A key with either sees nothing that concerns the whole account.',
      ...{ nullable: true, maximumLength: 50, elsewhere: true, column: tagNames, example: null },
    }),
    expires_at: moment({
      about: 'It ends then; null: it does not.',
      ...{ nullable: true, filter: true, sort: true, example: null },
    }),
    can_confirm_itself: boolean({
      about:
        'True: an assistant whose client cannot ask a person confirms its own changes. Otherwise only clients that ask change anything.',
      default: false,
    }),
    client_id: text({
      about:
        'The application that logged in to `/mcp` by OAuth with this key, which nobody else has; null: a person made it.',
      ...{ readOnly: true, nullable: true, filter: true, example: null },
    }),
    last_used_at: moment({ ...stamp, about: 'To the minute.' }),
    previous_expires_at: moment({ ...stamp, about: 'The key before the last rotation works until then.' }),
    prefix: text({ about: 'The first characters of the key.', readOnly: true, filter: true, example: 'lat_3sXlkuPx' }),
    created_at: moment({ readOnly: true, filter: true, sort: true }),
    parent_account_id: integer({ internal: true, nullable: true }),
  },
  relations: { owner: one('accounts', 'owner_id') },
  embed: ['owner', 'permissions'],
  search: ['name', 'prefix'],
  scope: 'account',
  visible,
  permissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  write,
  actions: [rotateApiKey],
})
