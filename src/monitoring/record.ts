import { isInCore } from '../checks/index.ts'
import { countAnalyses } from '../database/accounts/usage.ts'
import type { Database } from '../database/connect.ts'
import { coreSensorId } from '../domain/judging/analysis.ts'
import type { NoticeCheck } from '../domain/notification/notice.ts'
import { type HistoryWriter, withTheRest } from '../history/writer.ts'
import type { DecidedNotice } from '../outbox/intents.ts'
import type { CheckResult } from '../sensor/protocol.ts'
import { writeHeartbeats } from '../service-state/heartbeats.ts'
import { decideRounds, type RoundChanges, writeRounds } from '../service-state/rounds.ts'
import type { KeptArtifacts } from './evidence.ts'
import { judgeReports } from './heartbeats.ts'
import { rowOf } from './history-row.ts'
import type { RecordableRound } from './recordable-round.ts'
import type { SensorDirectory } from './stations.ts'

/** The rows stored by one transaction. */
export interface Recorded extends Pick<RoundChanges<RecordableRound>, 'analysed' | 'unknowns' | 'knownAgain'> {
  /** How many notices a service's round decided; services without one are left out. */
  readonly notices: ReadonlyMap<number, number>
}

/** The database, and the way of analyses into the history; by default the same transaction. */
export interface RecordingParts {
  readonly database: Database
  readonly history?: HistoryWriter | undefined
}

/**
 * Records finished rounds in one transaction: analyses, statuses, periods, notices and the next plans. On a cluster the
 * analyses are sent to their machines afterwards.
 */
export async function recordRounds(
  { database, history = withTheRest }: RecordingParts,
  rounds: readonly RecordableRound[],
  sensors: Pick<SensorDirectory, 'rowOf'>,
  now: number,
): Promise<Recorded> {
  const { recorded, committed } = await database.transaction(async (transaction) => {
    const reports = await judgeReports(transaction, rounds, now)
    const changes = await decideRounds(transaction, reports.rounds, (round) => noticeChecks(round, sensors), now)
    const { analysed, notices, unknowns, knownAgain } = changes
    const written = await history.write(
      transaction,
      analysed.map((round) => rowOf(round, round.analysis)),
    )
    await writeRounds(transaction, changes, now)
    await writeHeartbeats(transaction, reports.writes, now)
    await countAnalyses(transaction, written.fresh)
    const recorded = { analysed, notices: countsOf(notices), unknowns, knownAgain }
    return { recorded, committed: written.committed }
  })
  await committed?.()
  return recorded
}

function countsOf(notices: readonly DecidedNotice[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { serviceId } of notices) counts.set(serviceId, (counts.get(serviceId) ?? 0) + 1)
  return counts
}

function noticeChecks(
  { analysis, artifacts }: RecordableRound,
  sensors: Pick<SensorDirectory, 'rowOf'>,
): readonly NoticeCheck[] {
  const ofCore = isInCore(analysis?.typeId ?? '') ? 'Registry' : 'Heartbeat'
  const nameOf = (id: number) => (id === coreSensorId ? ofCore : String(id))
  return (analysis?.checks ?? []).map((check) => noticeCheck(check, sensors, nameOf, artifacts))
}

/** That of a failed check is in its message. */
function failedAssertions({ result, evidence }: CheckResult): Pick<NoticeCheck, 'failed_assertions'> {
  const sentences = evidence?.facts['failed_assertions']
  return result === 'ok' && typeof sentences === 'string' ? { failed_assertions: sentences } : {}
}

function noticeCheck(
  check: CheckResult,
  sensors: Pick<SensorDirectory, 'rowOf'>,
  nameOf: (sensorId: number) => string,
  artifacts: KeptArtifacts,
): NoticeCheck {
  const sensor = sensors.rowOf(check.sensorId)
  const artifactIds = (artifacts.get(check.sensorId)?.artifacts ?? []).map(({ id }) => id)
  return {
    sensor_id: check.sensorId,
    sensor_name: sensor?.name ?? nameOf(check.sensorId),
    city: sensor?.city ?? '',
    country: sensor?.country ?? '',
    result: check.result,
    response_time: check.responseTime,
    error_type_id: check.errorTypeId,
    error_message: check.errorMessage,
    ...failedAssertions(check),
    ...(artifactIds.length === 0 ? {} : { artifact_ids: artifactIds }),
  }
}
