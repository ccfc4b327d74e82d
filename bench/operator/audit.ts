/** Compares the database's record of the measured rounds with the farm's script. */
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { gridPhase } from '../../src/domain/judging/schedule.ts'
import { isUnseen, reasonsOf, type Verdicts } from './blame.ts'
import { type Course, expectedNotices, failingRounds, firstMoment, isFailing } from './script.ts'

export interface Mail {
  readonly serviceId: number
  readonly condition: string
  readonly messageId: string
}

/** One expected round. */
export interface RoundFacts {
  readonly serviceId: number
  /** Its moment of the grid, in Unix milliseconds. */
  readonly dueAt: number
  /** Unix milliseconds; null if the round was missed. */
  readonly decidedAt: number | null
  /** How the far station answered; null if the round was missed or did not ask it. */
  readonly far: 'o' | 'e' | 'u' | null
  readonly shouldFail: boolean
}

export interface Rounds {
  readonly expected: number
  readonly missed: number
  readonly doubled: number
  readonly expectedFailures: number
  /** Failures of targets that worked. */
  readonly falseFailures: number
  /** Failing targets that were found good. */
  readonly missedOutages: number
  readonly withoutVerdict: number
  /** Checks that a station could not answer. */
  readonly unknownChecks: number
  /** Milliseconds after its moment that each round began. */
  readonly lateness: readonly number[]
  /** Of each service, by index. */
  readonly verdicts: readonly Verdicts[]
  readonly each: readonly RoundFacts[]
  /** Some of what is wrong with those that there were, in words. */
  readonly faults: readonly string[]
}

interface AnalysisRow {
  readonly service_id: number
  readonly verdict: 'ok' | 'failure' | 'none'
  readonly started_at: number
  readonly decided_at: number
  readonly far: 'o' | 'e' | 'u' | null
  readonly unknown: number
  readonly failures: unknown
}

function grouped<Row>(rows: readonly Row[], idOf: (row: Row) => number): Map<number, Row[]> {
  const groups = new Map<number, Row[]>()
  for (const row of rows) {
    const group = groups.get(idOf(row))
    if (group === undefined) groups.set(idOf(row), [row])
    else group.push(row)
  }
  return groups
}

const chunk = 1000
/** A round may begin a moment before it is due: clocks are read in whole milliseconds. */
const slack = 50
const shownFaults = 20
const shownLength = 300

/** The recorded rounds of some services. */
interface Wanted {
  readonly serviceIds: readonly number[]
  readonly course: Course
  readonly farId: number | null
}

function readRounds(database: Database, { serviceIds, course, farId }: Wanted): Promise<AnalysisRow[]> {
  return database.query<AnalysisRow>(sql`
    select service_id, verdict, (analysis_id / 100)::float8 as decided_at, results[array_position(sensor_ids::int[], ${farId}::int)]::text as far,
      (analysis_id / 100 + (select min(time_offset) from unnest(time_offsets) time_offset))::float8 as started_at,
      cardinality(array_positions(results, 'u')) as unknown, case when failures is not null then left(failures::text, ${shownLength}) end as failures
    from analyses_hot where service_id = any(${serviceIds}::int[]) and analysis_id >= ${course.startsAt * 100}::bigint
    order by service_id, analysis_id`)
}

type Tally = { -readonly [Name in keyof Rounds]: Rounds[Name] extends number ? number : Item<Rounds[Name]>[] }
type Item<List> = List extends readonly (infer One)[] ? One : never

/** The rounds that a service should have. */
function expectedRounds(id: number, index: number, course: Course): RoundFacts[] {
  const first = firstMoment(course, gridPhase(id, course.intervalMs / 1000))
  const failing = failingRounds(index, course.rounds)
  return Array.from({ length: course.rounds }, (_none, round) => ({
    ...{ serviceId: id, dueAt: first + round * course.intervalMs, decidedAt: null, far: null },
    shouldFail: isFailing(index, failing, round),
  }))
}

interface Judged {
  readonly id: number
  readonly index: number
  readonly rows: readonly AnalysisRow[]
}

/** Adds the rounds of one service. */
function judge(tally: Tally, course: Course, { id, index, rows }: Judged): void {
  const each = expectedRounds(id, index, course)
  const verdicts: Verdicts[number][] = Array(course.rounds).fill(undefined)
  const fault = (text: string) => {
    if (tally.faults.length < shownFaults) tally.faults.push(text)
  }
  for (const row of rows) {
    const round = Math.floor((row.started_at - (each[0]?.dueAt ?? 0) + slack) / course.intervalMs)
    const expected = each[round]
    if (expected === undefined) continue
    const about = `service ${id} (${index}), round ${round}: ${row.verdict}, ${row.failures}`
    if (expected.decidedAt !== null) {
      tally.doubled += 1
      fault(`twice: ${about}`)
    }
    each[round] = { ...expected, decidedAt: row.decided_at, far: row.far }
    verdicts[round] = row.verdict
    tally.lateness.push(row.started_at - expected.dueAt)
    tally.unknownChecks += row.unknown
    if (expected.shouldFail) tally.expectedFailures += 1
    if (row.verdict === 'none') tally.withoutVerdict += 1
    else if (expected.shouldFail !== (row.verdict === 'failure')) {
      tally[expected.shouldFail ? 'missedOutages' : 'falseFailures'] += 1
      fault(`wrong: ${about}`)
    }
  }
  tally.verdicts.push(verdicts)
  tally.each.push(...each)
  tally.expected += course.rounds
  tally.missed += each.filter(({ decidedAt }) => decidedAt === null).length
}

export async function auditRounds(
  database: Database,
  ids: readonly number[],
  { course, farId }: Pick<Wanted, 'course' | 'farId'>,
): Promise<Rounds> {
  const zero = { expected: 0, missed: 0, doubled: 0, expectedFailures: 0, falseFailures: 0, missedOutages: 0 }
  const tally: Tally = {
    ...zero,
    withoutVerdict: 0,
    unknownChecks: 0,
    lateness: [],
    verdicts: [],
    each: [],
    faults: [],
  }
  for (let first = 0; first < ids.length; first += chunk) {
    const serviceIds = ids.slice(first, first + chunk)
    const rows = grouped(await readRounds(database, { serviceIds, course, farId }), ({ service_id }) => service_id)
    for (const [place, id] of serviceIds.entries())
      judge(tally, course, { id, index: first + place, rows: rows.get(id) ?? [] })
  }
  return tally
}

export interface Notices {
  readonly expected: number
  readonly decided: number
  readonly sent: number
  readonly mails: number
  /** Decided ones whose mail did not come. */
  readonly lost: number
  /** Mails that came more than once, or that nobody decided. */
  readonly doubled: number
  /** Why the notices decided are not those of the script. */
  readonly reasons: Readonly<Record<string, number>>
  /** Services with a phase that no round saw, and whose notices are all that could be told then. */
  readonly unseen: number
  /** Other services whose notices are not those of the script, each sent and arrived once. */
  readonly faults: readonly string[]
}

interface NoticeRow {
  readonly id: number
  /** The notice whose mail told of it, too: many services that fail within a minute are one mail. */
  readonly digest_of: number | null
  readonly service_id: number
  readonly condition: string
  readonly status: string
}

/** Notices that still wait. */
export async function noticesWaiting(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*) as count from notification_intents where status = 'pending'`,
  )
  return row?.count ?? 0
}

/** Which notices came in digests; all of them, if as many digests came as were sent, and none otherwise. */
function toldInDigests(rows: readonly NoticeRow[], mails: readonly Mail[]): ReadonlySet<NoticeRow> {
  const digests = new Set(rows.flatMap(({ digest_of: lead }) => (lead === null ? [] : [lead])))
  const came = new Set(mails.filter(({ serviceId }) => serviceId === 0).map(({ messageId }) => messageId))
  if (came.size !== digests.size) return new Set()
  return new Set(rows.filter(({ id, digest_of: lead }) => digests.has(lead ?? id)))
}

/** The conditions of a service's notices in the order in which they came: by mails of its own, or in a digest. */
function arrivedOf(decided: readonly NoticeRow[], own: readonly Mail[], inDigests: ReadonlySet<NoticeRow>): string[] {
  const left = own.map(({ condition }) => condition)
  const told = decided.flatMap((row) => (inDigests.has(row) ? [row.condition] : left.splice(0, 1)))
  return [...told, ...left]
}

export async function auditNotices(
  database: Database,
  ids: readonly number[],
  { course, mails, rounds }: { readonly course: Course; readonly mails: readonly Mail[]; readonly rounds: Rounds },
): Promise<Notices> {
  const all = await database.query<NoticeRow>(sql`
    select id, digest_of, service_id, notification_condition_id as condition, status from notification_intents
    order by service_id, id`)
  const rows = grouped(all, ({ service_id }) => service_id)
  const inDigests = toldInDigests(all, mails)
  const arrived = grouped(mails, ({ serviceId }) => serviceId)
  const faults: string[] = []
  const reasons: Record<string, number> = {}
  const count = { expected: 0, lost: 0, doubled: 0, unseen: 0 }
  for (const [index, id] of ids.entries()) {
    const expected = expectedNotices(index, course.rounds)
    count.expected += expected.length
    const own = arrived.get(id) ?? []
    const decided = (rows.get(id) ?? []).map(({ condition }) => condition)
    const came = arrivedOf(rows.get(id) ?? [], own, inDigests)
    const different = new Set(own.map(({ messageId }) => messageId)).size + came.length - own.length
    const isOnce = different === came.length
    count.lost += Math.max(0, decided.length - different)
    count.doubled += came.length - different + Math.max(0, different - decided.length)
    if (decided.join() === expected.join() && came.join() === expected.join() && isOnce) continue
    const why = reasonsOf(index, rounds.verdicts[index] ?? [], decided)
    if (came.join() !== decided.join() || !isOnce) why.push('decided, but not arrived once')
    for (const reason of why) reasons[reason] = (reasons[reason] ?? 0) + 1
    if (why.every(isUnseen)) count.unseen += 1
    else
      faults.push(
        `service ${id} (${index}): expected ${expected}; decided ${decided}; arrived ${came}: ${why.join(', ')}`,
      )
  }
  const sent = all.filter(({ status }) => status === 'sent').length
  return { ...count, decided: all.length, sent, mails: mails.length, reasons, faults }
}
