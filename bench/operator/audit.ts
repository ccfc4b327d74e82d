/** Compares the database's record of the measured rounds with the farm's script. */
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { gridPhase } from '../../src/domain/schedule.ts'
import { reasonsOf, type Verdicts } from './blame.ts'
import { type Course, expectedNotices, failingRounds, firstMoment, isFailing } from './script.ts'

export interface Mail {
  readonly serviceId: number
  readonly condition: string
  readonly messageId: string
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
  /** Some of what is wrong, in words. */
  readonly faults: readonly string[]
}

interface AnalysisRow {
  readonly service_id: number
  readonly verdict: 'ok' | 'failure' | 'none'
  readonly started_at: number
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

function readRounds(database: Database, serviceIds: readonly number[], course: Course): Promise<AnalysisRow[]> {
  return database.query<AnalysisRow>(sql`
    select service_id, verdict, (analysis_id / 100 + (select min(time_offset) from unnest(time_offsets) time_offset))::float8 as started_at,
      cardinality(array_positions(results, 'u')) as unknown, case when failures is not null then left(failures::text, ${shownLength}) end as failures
    from analyses_hot where service_id = any(${serviceIds}::int[]) and analysis_id >= ${course.startsAt * 100}::bigint
    order by service_id, analysis_id`)
}

type Tally = { -readonly [Name in keyof Rounds]: Rounds[Name] extends number ? number : Item<Rounds[Name]>[] }
type Item<List> = List extends readonly (infer One)[] ? One : never

/** Adds the rounds of one service. */
function judge(tally: Tally, course: Course, index: number, rows: readonly AnalysisRow[]): void {
  const serviceId = rows[0]?.service_id
  const failing = failingRounds(index, course.rounds)
  const seen = new Set<number>()
  const verdicts: Verdicts[number][] = Array(course.rounds).fill(undefined)
  const fault = (text: string) => {
    if (tally.faults.length < shownFaults) tally.faults.push(text)
  }
  for (const row of rows) {
    const first = firstMoment(course, gridPhase(row.service_id, course.intervalMs / 1000))
    const round = Math.floor((row.started_at - first + slack) / course.intervalMs)
    if (round < 0 || round >= course.rounds) continue
    const about = `service ${serviceId} (${index}), round ${round}: ${row.verdict}, ${row.failures}`
    if (seen.has(round)) {
      tally.doubled += 1
      fault(`twice: ${about}`)
    }
    seen.add(round)
    verdicts[round] = row.verdict
    tally.lateness.push(row.started_at - first - round * course.intervalMs)
    tally.unknownChecks += row.unknown
    const shouldFail = isFailing(index, failing, round)
    if (shouldFail) tally.expectedFailures += 1
    if (row.verdict === 'none') tally.withoutVerdict += 1
    else if (shouldFail !== (row.verdict === 'failure')) {
      tally[shouldFail ? 'missedOutages' : 'falseFailures'] += 1
      fault(`wrong: ${about}`)
    }
  }
  tally.verdicts.push(verdicts)
  tally.expected += course.rounds
  tally.missed += course.rounds - seen.size
  if (seen.size < course.rounds) fault(`service ${serviceId} (${index}): ${course.rounds - seen.size} rounds missed`)
}

export async function auditRounds(database: Database, ids: readonly number[], course: Course): Promise<Rounds> {
  const zero = { expected: 0, missed: 0, doubled: 0, expectedFailures: 0, falseFailures: 0, missedOutages: 0 }
  const tally: Tally = { ...zero, withoutVerdict: 0, unknownChecks: 0, lateness: [], verdicts: [], faults: [] }
  for (let first = 0; first < ids.length; first += chunk) {
    const some = ids.slice(first, first + chunk)
    const rows = grouped(await readRounds(database, some, course), ({ service_id }) => service_id)
    for (const [place, id] of some.entries()) judge(tally, course, first + place, rows.get(id) ?? [])
  }
  return tally
}

export interface Notices {
  readonly expected: number
  readonly decided: number
  readonly sent: number
  readonly mails: number
  /** Why the notices decided are not those of the script. */
  readonly reasons: Readonly<Record<string, number>>
  /** Services whose notices are not those of the script, each sent and arrived once. */
  readonly faults: readonly string[]
}

interface NoticeRow {
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

export async function auditNotices(
  database: Database,
  ids: readonly number[],
  { course, mails, rounds }: { readonly course: Course; readonly mails: readonly Mail[]; readonly rounds: Rounds },
): Promise<Notices> {
  const rows = grouped(
    await database.query<NoticeRow>(sql`
      select service_id, notification_condition_id as condition, status from notification_intents order by service_id, id`),
    ({ service_id }) => service_id,
  )
  const arrived = grouped(mails, ({ serviceId }) => serviceId)
  const faults: string[] = []
  const reasons: Record<string, number> = {}
  let expectedCount = 0
  for (const [index, id] of ids.entries()) {
    const expected = expectedNotices(index, course.rounds)
    expectedCount += expected.length
    const decided = (rows.get(id) ?? []).map(({ condition }) => condition)
    const came = (arrived.get(id) ?? []).map(({ condition }) => condition)
    const isOnce = new Set((arrived.get(id) ?? []).map(({ messageId }) => messageId)).size === came.length
    if (decided.join() === expected.join() && came.join() === expected.join() && isOnce) continue
    const why = reasonsOf(index, rounds.verdicts[index] ?? [], decided)
    if (came.join() !== decided.join() || !isOnce) why.push('decided, but not arrived once')
    for (const reason of why) reasons[reason] = (reasons[reason] ?? 0) + 1
    faults.push(
      `service ${id} (${index}): expected ${expected}; decided ${decided}; arrived ${came}: ${why.join(', ')}`,
    )
  }
  const all = [...rows.values()].flat()
  const sent = all.filter(({ status }) => status === 'sent').length
  return { expected: expectedCount, decided: all.length, sent, mails: mails.length, reasons, faults }
}
