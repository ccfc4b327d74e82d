/** One round of checks: who checks, for how long, and what it says (answers §8). */

/** What a check says; unknown: the sensor could not try (its own fault), which says nothing of the target. */
export type CheckResultValue = 'ok' | 'error' | 'unknown'

/** none: too few stations could tell. The analysis is kept; status and history do not change. */
export type Verdict = 'ok' | 'failure' | 'none'

/** A sensor as far as choosing goes. */
export interface SensorFacts {
  readonly id: number
  readonly country: string
  readonly categoryIds: readonly string[]
  readonly isAvailable: boolean
}

/** Whose sensors check a service. */
export interface SensorAssignment {
  /** The service's own; they override the group's. */
  readonly ownSensorIds: readonly number[]
  /** The group's sensors by category. */
  readonly assignedSensorIds: Readonly<Partial<Record<string, readonly number[]>>>
  /** Category of the service's type. */
  readonly category: string
}

/** The sensors configured for a service, replacements aside; each once. */
export function configuredSensors(assignment: SensorAssignment): readonly number[] {
  const { ownSensorIds, assignedSensorIds, category } = assignment
  return [...new Set(ownSensorIds.length > 0 ? ownSensorIds : (assignedSensorIds[category] ?? []))]
}

/** One seat of an analysis: the sensor that checks, or the configured one when nobody can take its place. */
export interface Seat {
  readonly sensorId: number
  readonly isAvailable: boolean
}

/**
 * Fills a seat for each configured sensor. With failover an unavailable one is replaced by an available sensor of the same
 * category that has no seat yet: one of the same country first, then the lowest id.
 */
export function chooseSensors(
  configuredIds: readonly number[],
  sensors: ReadonlyMap<number, SensorFacts>,
  category: string,
  failover: boolean,
): readonly Seat[] {
  const taken = new Set(configuredIds)
  return configuredIds.map((sensorId) => {
    const sensor = sensors.get(sensorId)
    if (sensor !== undefined && canCheck(sensor, category)) return { sensorId, isAvailable: true }
    const replacementId = failover ? replacementFor(sensorId, { sensors, category, taken }) : null
    if (replacementId === null) return { sensorId, isAvailable: false }
    taken.add(replacementId)
    return { sensorId: replacementId, isAvailable: true }
  })
}

function canCheck(sensor: SensorFacts, category: string): boolean {
  return sensor.isAvailable && sensor.categoryIds.includes(category)
}

/** The sensor that checks in another's place: one of the same country first, then the lowest id; null when none is free. */
export function replacementFor(
  lostId: number,
  {
    sensors,
    category,
    taken,
  }: {
    readonly sensors: ReadonlyMap<number, SensorFacts>
    readonly category: string
    readonly taken: ReadonlySet<number>
  },
): number | null {
  const country = sensors.get(lostId)?.country
  const distance = (sensor: SensorFacts) => (sensor.country === country ? 0 : 1)
  const free = [...sensors.values()].filter((candidate) => canCheck(candidate, category) && !taken.has(candidate.id))
  return free.toSorted((one, other) => distance(one) - distance(other) || one.id - other.id)[0]?.id ?? null
}

/**
 * The verdict over one result per seat. `errorTolerancePercent` 1–100 of the checks that could tell must say error;
 * at least half of the seats (rounded up) must have been able to tell, else there is no verdict.
 */
export function judge(results: readonly CheckResultValue[], errorTolerancePercent: number): Verdict {
  const errors = results.filter((result) => result === 'error').length
  const told = results.filter((result) => result !== 'unknown').length
  if (told === 0 || told * 2 < results.length) return 'none'
  return 100 * errors >= errorTolerancePercent * told ? 'failure' : 'ok'
}

/** What a station may need beyond the target's own time limit: queueing, the way there and back. Milliseconds. */
const answerGrace = 2000

/** The same for a station that uses a browser: places in it are few, and a page that failed is asked for evidence. Milliseconds. */
const browserGrace = 15_000

const longestTimeout = 120_000

/** When nobody waits for a station's answer any more. The type's own time limit is `timeout` or `reply_timeout` in ms. */
export function answerDeadline(
  startAt: number,
  settings: Readonly<Record<string, unknown>>,
  isInBrowser = false,
): number {
  const limit = settings['timeout'] ?? settings['reply_timeout']
  const timeout = typeof limit === 'number' && limit > 0 ? Math.min(limit, longestTimeout) : longestTimeout
  return startAt + timeout + (isInBrowser ? browserGrace : answerGrace)
}

/** A page check that waits for a free browser longer than this is of no use to its round. Milliseconds. */
const longestTurn = 300_000

/**
 * When nobody waits any more for a station whose browsers are all taken: as long as the round is worth something, which is until the next
 * one is due, and never before `deadlineAt`, the deadline of a station that has a browser at once.
 */
export function turnDeadline(startAt: number, deadlineAt: number, intervalSeconds: number): number {
  return Math.max(deadlineAt, startAt + Math.min(intervalSeconds * 1000, longestTurn))
}

/**
 * 13 digits of Unix milliseconds of the decision and two more. The claim's number tells apart what is decided within one
 * millisecond, also across processes.
 */
export function analysisIdOf(decidedAt: number, claimNo: number): number {
  return Math.floor(decidedAt) * 100 + (claimNo % 100)
}
