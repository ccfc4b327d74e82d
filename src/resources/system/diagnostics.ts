import sql from 'sql-template-tag'
import { serviceTypeOf } from '../../checks/index.ts'
import type { Executor } from '../../database/connect.ts'
import { lockKeys } from '../../database/locks.ts'
import { wakeDiagnosticians } from '../../database/services/diagnostics.ts'
import { sensorSilenceSeconds } from '../../database/services/sensors.ts'
import type { Caller } from '../../domain/access/caller.ts'
import { mayWrite } from '../../domain/access/permissions.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { always, type Condition, oneOf } from '../../domain/queries/condition.ts'
import { type DiagnosticKind, diagnosticLimits } from '../../domain/services/diagnostic.ts'
import { addressProblems } from '../../domain/services/monitored-address.ts'
import { isDomainName } from '../../domain/services/setting-grammars.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { type Fields, identifier, integer, list, moment, text } from '../../rest/fields.ts'
import { refuse } from '../../rest/problems.ts'

interface Diagnostic extends Readonly<Record<string, unknown>> {
  readonly sensor_id: number
  readonly host: string
  readonly query_type?: string
  readonly server?: string | null
  readonly port?: number
}

interface Facts {
  /** In the order of ids. */
  readonly availableSensorIds: readonly number[]
  readonly underWay: number
  readonly kept: number
}

async function facts(transaction: Executor, { caller, nowAt }: Call): Promise<Facts> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.diagnostics}, ${caller.account_id})`)
  const seenAfter = new Date(nowAt - sensorSilenceSeconds * 1000)
  const sensors = await transaction.query<{ id: number }>(
    sql`select id from sensors where last_seen_at > ${seenAfter} order by id`,
  )
  const [counts] = await transaction.query<{ under_way: number; kept: number }>(sql`
    select (count(*) filter (where status in ('pending', 'in_progress')))::int as under_way, count(*)::int as kept
    from diagnostics where account_id = ${caller.account_id}`)
  return {
    availableSensorIds: sensors.map(({ id }) => id),
    underWay: counts?.under_way ?? 0,
    kept: counts?.kept ?? 0,
  }
}

function hostProblems(text: string | null | undefined, pointer: string): readonly Problem[] {
  const ping = serviceTypeOf('ping')
  return typeof text !== 'string' || ping === undefined ? [] : addressProblems(ping, text, pointer).problems
}

function limitProblems({ underWay, kept }: Facts): readonly Problem[] {
  const error = 'diagnostic_limit_exceeded'
  if (underWay >= diagnosticLimits.underWay) return [{ error, facts: { value: diagnosticLimits.underWay } }]
  return kept >= diagnosticLimits.kept ? [{ error, facts: { value: diagnosticLimits.kept, period: '24 h' } }] : []
}

function sensorProblems(sensorId: number | undefined, { availableSensorIds }: Facts): readonly Problem[] {
  if (sensorId !== undefined && availableSensorIds.includes(sensorId)) return []
  const known = sensorId === undefined ? {} : { facts: { sensor_id: sensorId } }
  return [{ error: 'sensor_not_available', field: 'data.sensor_id', ...known }]
}

function nameProblems(host: string | undefined): readonly Problem[] {
  const isName = host === undefined || isDomainName(host)
  return isName ? [] : [{ error: 'incorrect_value', field: 'data.host', facts: { detail: 'domain_name' } }]
}

/** The request for the station, without its author. */
type Request = (row: Diagnostic) => Readonly<Record<string, unknown>>

function write(
  kind: DiagnosticKind,
  requestOf: Request,
  rules: (row: Partial<Diagnostic>) => readonly Problem[],
): Writing<Diagnostic, Facts> {
  return {
    allowed: ({ caller }) => mayWrite(caller),
    facts,
    complete: (given, _before, { availableSensorIds: [first] }) => ({
      row: given.sensor_id === undefined && first !== undefined ? { ...given, sensor_id: first } : given,
      problems: [],
    }),
    rules: (row, known) => [...rules(row), ...sensorProblems(row.sensor_id, known), ...limitProblems(known)],
    async insert(transaction, { caller, nowAt }, row) {
      const request = JSON.stringify({ kind, ...requestOf(row) })
      const [made] = await transaction.query<{ id: number }>(sql`
        insert into diagnostics (kind, account_id, sensor_id, request, created_at)
        values (${kind}, ${caller.account_id}, ${row.sensor_id}, ${request}, ${new Date(nowAt)}) returning id`)
      await wakeDiagnosticians(transaction)
      return made ?? refuse('internal_error')
    },
  }
}

function makers(caller: Caller): Condition {
  return oneOf('account_id', [caller.account_id])
}

const state: Fields = {
  id: identifier(),
  status: text({ readOnly: true, oneOf: ['pending', 'in_progress', 'completed', 'failed'], example: 'completed' }),
  created_at: moment({ readOnly: true }),
  sensor_id: integer({ about: 'From where to look; default: the first available station.', immutable: true }),
}

const outcome: Fields = {
  lines: list(text({}), { about: 'The findings, for people; the last line of a failure says why.', readOnly: true }),
  account_id: integer({ internal: true }),
}

interface Declared {
  readonly kind: DiagnosticKind
  readonly about: string
  readonly singular: string
  readonly fields: Fields
  readonly request: Request
  readonly rules: (row: Partial<Diagnostic>) => readonly Problem[]
  readonly actions?: readonly Operation[]
}

/** Looked at by its maker alone, for a day (specification: /system). */
function diagnostic({ kind, about, singular, fields, request, rules, actions = [] }: Declared): Resource {
  return resource<Fields, Diagnostic>(`system/${kind}_diagnostics`, {
    about,
    singular,
    tag: 'system',
    access: 'any',
    source: table('diagnostics', () => sql`select * from diagnostics where kind = ${kind}`),
    fields: { ...state, ...fields, ...outcome },
    visible: makers,
    permissions: (caller) => ({ read: always(true), update: always(false), delete: mayWrite(caller) }),
    operations: ['create', 'read', 'remove'],
    write: write(kind, request, rules),
    actions,
  })
}

const queryTypes = serviceTypeOf('dns')?.settings.find((setting) => setting.setting_id === 'query_type')?.enum ?? []
const standardPort = 53

/** `actions` are the operations of /system that belong to no resource. */
export function dnsDiagnostics(actions: readonly Operation[]): Resource {
  return diagnostic({
    kind: 'dns',
    about: 'DNS queries made from a station.',
    singular: 'DNS query',
    fields: {
      host: text({
        about: 'The name to ask for.',
        required: true,
        immutable: true,
        minimumLength: 1,
        maximumLength: 253,
        example: 'www.example.com',
        column: ({ alias }) => sql`${alias}.request->>'host'`,
      }),
      query_type: text({
        about: 'Default: `A`.',
        immutable: true,
        oneOf: queryTypes,
        example: 'A',
        column: ({ alias }) => sql`${alias}.request->>'query_type'`,
      }),
      server: text({
        about: 'The name server to ask; default: those of the station.',
        nullable: true,
        immutable: true,
        minimumLength: 1,
        maximumLength: 253,
        example: null,
        column: ({ alias }) => sql`${alias}.request->>'server'`,
      }),
      port: integer({
        about: 'The port of the named server; default: 53.',
        immutable: true,
        minimum: 1,
        maximum: 65_535,
        example: standardPort,
        column: ({ alias }) => sql`(${alias}.request->>'port')::int`,
      }),
    },
    request: ({ host, query_type: queryType = 'A', server = null, port = standardPort }) => ({
      ...{ host, query_type: queryType, server, port },
    }),
    rules: ({ host, server }) => [...nameProblems(host), ...hostProblems(server, 'data.server')],
    actions,
  })
}

export const tracerouteDiagnostics = diagnostic({
  kind: 'traceroute',
  about: 'Routes from a station to a host.',
  singular: 'route',
  fields: {
    host: text({
      about: 'Host name or address.',
      required: true,
      immutable: true,
      minimumLength: 1,
      maximumLength: 253,
      example: 'www.example.com',
      column: ({ alias }) => sql`${alias}.request->>'host'`,
    }),
  },
  request: ({ host }) => ({ host }),
  rules: ({ host }) => hostProblems(host, 'data.host'),
})
