import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { checkHostSoon, requestHost } from '../../database/status-pages/page-hosts.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Row } from '../../domain/queries/condition.ts'
import { hostGrant, hostRecord, type PageHosts } from '../../domain/status-pages/page-host.ts'
import { isPageHost } from '../../domain/status-pages/status-page.ts'
import type { Call, Operation } from '../../rest/call.ts'
import type { Resource } from '../../rest/declare.ts'
import { moment, object, text } from '../../rest/fields.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { noContent } from '../../rest/routes.ts'

const ofServer = { readOnly: true, computed: true, nullable: true, example: null } as const

const hostStates = ['waiting', 'proven', 'lapsed', 'free'] as const

/** The state of a page's host of its own. */
export const hostFields = {
  host: text({
    about:
      'A host name of its own, at whose `/` the page is served once it is proven (`host_record`). The operator says which names there may be (`STATUS_PAGE_HOSTS`).',
    nullable: true,
    unique: true,
    untypical: true,
    maximumLength: 253,
    filter: true,
    example: null,
  }),
  host_state: text({
    ...ofServer,
    about:
      'The page has its host when it is proven, or free of proof because it is below a domain of the operator. It waits until the record is seen, and a proof lapses a day after the record.',
    oneOf: hostStates,
    column: ({ alias }) => sql`case when ${alias}.host is null then null when ${alias}.host_is_free then 'free'
      when ${alias}.host_proven_at is not null then 'proven' when ${alias}.host_seen_at is not null then 'lapsed'
      else 'waiting' end`,
  }),
  host_record: object(
    { type: text({ required: true }), name: text({ required: true }), value: text({ required: true }) },
    {
      ...ofServer,
      about:
        'The DNS record that proves the host. It is looked up each minute at first, then less often, and again while it lasts. Null if none is needed.',
      column: ({ alias }) =>
        sql`case when not ${alias}.host_is_free then ${alias}.host || ' ' || ${alias}.host_token end`,
      shown: (value) => {
        const [host = '', token = ''] = String(value).split(' ')
        return value === null ? null : hostRecord(host, token)
      },
    },
  ),
  host_checked_at: moment({ ...ofServer, about: 'When the record was last looked up.' }),
} as const

function hostProblems(row: Row, before: Row | null, hosts: PageHosts): readonly Problem[] {
  const { host } = row
  if (typeof host !== 'string' || host === before?.['host'] || !isPageHost(host)) return []
  if (hostGrant(host, hosts) !== 'refused') return []
  const names = [...hosts.permitted, ...hosts.free].join(', ')
  const expected =
    names === ''
      ? {
          en: 'The operator of this installation permits no host names (STATUS_PAGE_HOSTS).',
          pl: 'Operator tej instalacji nie dopuszcza nazw hostów (STATUS_PAGE_HOSTS).',
        }
      : { en: `The operator permits: ${names}.`, pl: `Operator dopuszcza: ${names}.` }
  return [{ error: 'incorrect_value', field: 'data.host', expected }]
}

async function claim(transaction: Executor, { nowAt }: Call, row: Row, hosts: PageHosts): Promise<void> {
  const { id, host } = row
  const isFree = typeof host === 'string' && hostGrant(host, hosts) === 'free'
  const claimed = typeof host === 'string' ? { token: randomBytes(16).toString('hex'), isFree } : null
  await requestHost(transaction, Number(id), claimed, nowAt)
}

/** Status pages whose hosts the operator permits and their owners prove. */
export function withHosts(pages: Resource, hosts: PageHosts): Resource {
  const { write } = pages
  return {
    ...pages,
    write: {
      ...write,
      rules: (row, facts, before) => [
        ...(write.rules?.(row, facts, before) ?? []),
        ...hostProblems(row, before, hosts),
      ],
      async created(transaction, call, row, facts) {
        await write.created?.(transaction, call, row, facts)
        if (row['host'] != null) await claim(transaction, call, row, hosts)
      },
      async changed(transaction, call, row, before, facts) {
        await write.changed?.(transaction, call, row, before, facts)
        if (row['host'] !== before['host']) await claim(transaction, call, row, hosts)
      },
    },
  }
}

export const checkHost: Operation = {
  id: 'status_pages.check_host',
  method: 'POST',
  path: '/status_pages/{_id}/check_host',
  tag: 'status_pages',
  summary: 'Look up the record of the host now',
  about: 'Within seconds `host_checked_at` and `host_state` say what was found.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: noContent,
  async handle(call) {
    await call.database.transaction(async (transaction) => {
      const { id } = await lockForWrite(call.registry.get('status_pages'), transaction, call, 'update')
      await checkHostSoon(transaction, Number(id), call.nowAt)
    })
    return { status: 204 }
  },
}
