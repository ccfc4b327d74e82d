import sql from 'sql-template-tag'
import { formatMoment } from '../../domain/calendars/time.ts'
import { all, always, any, type Condition, is } from '../../domain/queries/condition.ts'
import { addressWithPort } from '../../domain/services/address-with-port.ts'
import type { Call } from '../../rest/call.ts'
import { integer, list, moment, object, text } from '../../rest/fields.ts'
import { named, schemaOf } from '../../rest/schemas.ts'
import { readPage } from '../../rest/select.ts'
import { Scope } from '../../rest/sql.ts'

/** The most groups and failing services that one board shows: more is no use on a wall. */
const maximumGroups = 1000
const maximumFailing = 500

const states = ['failure', 'unknown', 'ok', 'suspended', 'paused'] as const
type Counts = Record<(typeof states)[number] | 'degraded', number>

const count = integer({ required: true, minimum: 0, about: 'Services.' })
const counts = Object.fromEntries(states.map((state) => [state, count]))
const identifier = integer({ required: true, nullable: true, about: 'Null by a link.' })
const name = text({ required: true })

const boardShape = object(
  {
    name: text({ required: true, nullable: true, about: 'The name of the wallboard; null without one.' }),
    time: moment({ required: true, about: 'When this was so.' }),
    groups: list(
      object(
        {
          id: identifier,
          name,
          ...counts,
          degraded: integer({
            required: true,
            minimum: 0,
            about: 'The services among the ok ones that do not work as well as they should.',
          }),
          failing: list(
            object(
              {
                id: identifier,
                name,
                address: text({
                  required: true,
                  nullable: true,
                  about: 'With the port that is a setting of its own. Null where addresses are not shown.',
                }),
                since: moment({ required: true, nullable: true }),
              },
              {},
            ),
            { required: true, about: 'The failing services, the newest failure first.' },
          ),
        },
        {},
      ),
      {
        required: true,
        about: `Groups with services that are not archived, failing ones first; at most ${maximumGroups}.`,
      },
    ),
  },
  {},
)

export const boardSchema = named('board', {
  ...schemaOf(boardShape),
  example: {
    name: 'Office',
    time: '2026-11-21T12:30:00Z',
    groups: [
      {
        ...{ id: 1, name: 'Shop', failure: 1, unknown: 0, ok: 11, suspended: 0, paused: 0, degraded: 2 },
        failing: [{ id: 7, name: 'Basket', address: 'shop.example.com/basket', since: '2026-11-21T12:28:00Z' }],
      },
    ],
  },
})

export interface BoardOptions {
  readonly name: string | null
  /** Null: all that the caller may read. */
  readonly groupIds: readonly number[] | null
  readonly hasAddresses: boolean
  readonly hasIds: boolean
}

interface Failing {
  readonly id: number
  readonly group_id: number
  readonly name: string
  readonly address: string
  readonly port: number | null
  readonly since: number | null
}

function among(field: string, ids: readonly number[] | null): Condition {
  return ids === null ? always(true) : any(...ids.map((id) => is(field, id)))
}

interface CountRow {
  readonly group_id: number
  readonly summary: (typeof states)[number]
  readonly count: number
  readonly degraded: number
}

async function countsOf(call: Call, where: Condition): Promise<ReadonlyMap<number, Counts>> {
  const scope = new Scope(call.registry.get('service_statuses'), call)
  const condition = scope.condition(where)
  const [group, summary] = [scope.column('group_id').expression, scope.column('summary').expression]
  const isDegraded = scope.column('is_degraded').expression
  const rows = await call.database.query<CountRow>(sql`
    select ${group} as group_id, ${summary} as summary, count(*)::int as count,
      (count(*) filter (where ${isDegraded}))::int as degraded
    ${scope.from(where)} where ${condition} group by 1, 2`)
  const found = new Map<number, Counts>()
  for (const { group_id: id, summary: state, count: services, degraded } of rows) {
    const known = found.get(id) ?? { failure: 0, unknown: 0, ok: 0, suspended: 0, paused: 0, degraded: 0 }
    known[state] = services
    known.degraded += degraded
    found.set(id, known)
  }
  return found
}

async function failingOf(call: Call, where: Condition): Promise<readonly Failing[]> {
  const scope = new Scope(call.registry.get('service_statuses'), call)
  const failing = all(where, is('summary', 'failure'))
  const condition = scope.condition(failing)
  const column = (path: string) => scope.column(path).expression
  const columns = sql`${column('id')} as id, ${column('group_id')} as group_id, ${column('service.name')} as name,
    ${column('service.address')} as address, ${column('service.port')} as port,
    ${column('last_check_status_change_time')} as since`
  return call.database.query<Failing>(sql`
    select ${columns} ${scope.from(failing)} where ${condition}
    order by ${column('last_check_status_change_time')} desc, ${column('id')} limit ${maximumFailing}`)
}

async function groupsOf(call: Call, groupIds: readonly number[] | null) {
  const { page } = await readPage(call.registry.get('groups'), call, {
    where: among('id', groupIds),
    sort: [{ path: 'name', descending: false }],
    limit: maximumGroups,
    offset: 0,
    columns: ['id', 'name'],
    flags: [],
  })
  const [idAt, nameAt] = [page.column('id'), page.column('name')]
  return Array.from({ length: page.length }, (_, place) => ({ id: Number(idAt(place)), name: String(nameAt(place)) }))
}

/** The groups' names and states that the caller of `call` may read now. */
export async function boardOf(call: Call, { name: title, groupIds, hasAddresses, hasIds }: BoardOptions) {
  const groups = await groupsOf(call, groupIds)
  const where = all(
    call.registry.get('service_statuses').visible(call.caller),
    is('service.is_archived', false),
    among('group_id', groupIds),
  )
  const [totals, failing] = await Promise.all([countsOf(call, where), failingOf(call, where)])
  const shown = groups.flatMap(({ id, name: groupName }) => {
    const known = totals.get(id)
    if (known === undefined) return []
    const own = failing
      .filter((service) => service.group_id === id)
      .map((service) => ({
        id: hasIds ? service.id : null,
        name: service.name,
        address: hasAddresses ? addressWithPort(service.address, service.port) : null,
        since: service.since === null ? null : formatMoment(service.since),
      }))
    return [{ id: hasIds ? id : null, name: groupName, ...known, failing: own }]
  })
  return {
    name: title,
    time: formatMoment(call.nowAt),
    groups: shown.toSorted((one, other) => other.failure - one.failure),
  }
}
