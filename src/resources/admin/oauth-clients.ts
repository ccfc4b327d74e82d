import sql from 'sql-template-tag'
import { documentationClientId, isRedirectUri, type OAuthClient } from '../../domain/access/oauth-client.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { always } from '../../domain/queries/condition.ts'
import { resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, type Fields, identifier, integer, list, moment, text } from '../../rest/fields.ts'
import { refuse } from '../../rest/problems.ts'
import { distributionOf, ofDistribution } from './distribution.ts'

interface Client extends OAuthClient, Readonly<Record<string, unknown>> {
  readonly id: number
}

interface Facts {
  readonly isClientIdFree: boolean
}

function uriProblems({ redirect_uris: uris = [] }: Partial<Client>): readonly Problem[] {
  return uris.flatMap((uri, index) =>
    isRedirectUri(uri)
      ? []
      : [{ error: 'incorrect_value', field: `data.redirect_uris[${index}]`, facts: { detail: 'redirect_uri' } }],
  )
}

/** `configuredIds` are taken by the operator's configuration, and one name by the documentation. */
function write(configuredIds: readonly string[]): Writing<Client, Facts> {
  return {
    countLimit: { count: countLimits.oauthClients, per: 'distribution_id' },
    complete: (given, before, _known, { caller }) => ({
      row: before === null ? { ...given, distribution_id: distributionOf(caller) } : given,
      problems: [],
    }),
    async facts(transaction, _call, { client_id: id }, before) {
      const others = await transaction.query(sql`
        select 1 from oauth_clients where client_id = ${id ?? null} and id is distinct from ${before?.id ?? null}`)
      const isTaken = id !== undefined && [documentationClientId, ...configuredIds].includes(id)
      const isClientIdFree = others.length === 0 && !isTaken
      return { isClientIdFree }
    },
    rules: (row, { isClientIdFree }) => [
      ...(isClientIdFree ? [] : [{ error: 'value_is_not_unique', field: 'data.client_id' }]),
      ...(row.redirect_uris?.length === 0 ? [{ error: 'missing_value', field: 'data.redirect_uris' }] : []),
      ...uriProblems(row),
    ],
    async insert(transaction, { caller, nowAt }, row) {
      const [made] = await transaction.query<{ id: number }>(sql`
        insert into oauth_clients (distribution_id, client_id, name, redirect_uris, is_implicit_flow_allowed, created_at)
        values (${distributionOf(caller)}, ${row.client_id}, ${row.name}, ${row.redirect_uris},
          ${row.is_implicit_flow_allowed ?? false}, ${new Date(nowAt)})
        returning id`)
      return made ?? refuse('internal_error')
    },
  }
}

const fields = {
  id: identifier(),
  client_id: text({
    about: 'The name that the application gives itself.',
    required: true,
    immutable: true,
    unique: true,
    pattern: /^[A-Za-z0-9._~-]{1,100}$/,
    detail: 'client_id',
    maximumLength: 100,
    filter: true,
    contains: true,
    sort: true,
    example: 'dashboard',
  }),
  name: text({
    about: 'Shown to people who are asked for access.',
    required: true,
    minimumLength: 1,
    maximumLength: 200,
    filter: true,
    contains: true,
    sort: true,
    example: 'Dashboard',
  }),
  redirect_uris: list(text({ maximumLength: 2000 }), {
    about: 'Where people are sent back to; compared letter by letter.',
    required: true,
    maximumLength: 50,
    example: ['https://dashboard.example.com/callback'],
  }),
  is_implicit_flow_allowed: boolean({
    about: 'Whether it may ask for a token by the implicit flow; codes with PKCE are always allowed.',
    filter: true,
    sort: true,
    example: false,
  }),
  created_at: moment({ readOnly: true, filter: true, sort: true }),
  distribution_id: integer({ internal: true }),
}

export const oauthClientsOf = (configuredIds: readonly string[]) =>
  resource<Fields, Client>('admin/oauth_clients', {
    about: 'Applications that may ask accounts for access by OAuth 2.0, beside those of the configuration.',
    tag: 'admin',
    singular: 'OAuth client',
    source: table('oauth_clients'),
    access: 'administrator',
    fields,
    embed: ['permissions'],
    search: ['id', 'client_id', 'name'],
    visible: ofDistribution,
    permissions: () => ({ own: always(false), read: always(true), update: always(true), delete: always(true) }),
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
    write: write(configuredIds),
  })
