/** One round of checks: which sensors check, how long they may take, and the verdict (answers §8). */

/** The result of one check. `unknown`: the sensor could not try, which says nothing about the target. */
export type CheckResultValue = 'ok' | 'error' | 'unknown'

/** Stands for the core among the sensors of a stored analysis: it judged what a service reported. */
export const coreSensorId = 0

/** `none`: too few stations had a result. The analysis is kept; status and history do not change. */
export type Verdict = 'ok' | 'failure' | 'none'

/** The facts about a sensor that choosing needs. */
export interface SensorFacts {
  readonly id: number
  readonly country: string
  readonly categoryIds: readonly string[]
  readonly isAvailable: boolean
}

/** The sensors assigned to a service. */
export interface SensorAssignment {
  /** The service's own sensors; they override the group's. */
  readonly ownSensorIds: readonly number[]
  /** The group's sensors by category. */
  readonly assignedSensorIds: Readonly<Partial<Record<string, readonly number[]>>>
  /** Category of the service's type. */
  readonly category: string
}

/** The sensors configured for a service, each once; replacements are not included. */
export function configuredSensors(assignment: SensorAssignment): readonly number[] {
  const { ownSensorIds, assignedSensorIds, category } = assignment
  return [...new Set(ownSensorIds.length > 0 ? ownSensorIds : (assignedSensorIds[category] ?? []))]
}

/** One seat of an analysis: the sensor that checks, or the configured one if no sensor can replace it. */
export interface Seat {
  readonly sensorId: number
  readonly isAvailable: boolean
}

/**
 * Fills a seat for each configured sensor. With failover, an available sensor of the same category without a seat
 * replaces an unavailable one. A sensor of the same country comes first, then the lowest id.
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

/** The sensor that replaces another one: of the same country first, then the lowest id. Null if none is free. */
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
 * The verdict over one result per seat. At least half of the seats (rounded up) must have a result, or there is no
 * verdict. It is `failure` when errors reach `errorTolerancePercent` (1–100) of those results.
 */
export function judge(results: readonly CheckResultValue[], errorTolerancePercent: number): Verdict {
  const errors = results.filter((result) => result === 'error').length
  const told = results.filter((result) => result !== 'unknown').length
  if (told === 0 || told * 2 < results.length) return 'none'
  return 100 * errors >= errorTolerancePercent * told ? 'failure' : 'ok'
}

/** Milliseconds that a station may need beyond the target's own time limit: queueing, and the way there and back. */
const answerGrace = 2000

/**
 * The same for a station that uses a browser: browsers are few, and a page that failed is asked for evidence.
 * Milliseconds.
 */
const browserGrace = 15_000

const longestTimeout = 120_000

/**
 * The moment after which a station's answer is ignored. The type's own time limit is `timeout` or `reply_timeout` in
 * ms.
 */
export function answerDeadline(
  startAt: number,
  settings: Readonly<Record<string, unknown>>,
  isInBrowser = false,
): number {
  const limit = settings['timeout'] ?? settings['reply_timeout']
  const timeout = typeof limit === 'number' && limit > 0 ? Math.min(limit, longestTimeout) : longestTimeout
  return startAt + timeout + (isInBrowser ? browserGrace : answerGrace)
}

/** The longest useful wait of a page check for a free browser. Milliseconds. */
const longestTurn = 300_000

/**
 * The moment after which a station whose browsers are all busy is ignored. The round is worth something until the next
 * one is due. It is never before `deadlineAt`, the deadline of a station that has a free browser at once.
 */
export function turnDeadline(startAt: number, deadlineAt: number, intervalSeconds: number): number {
  return Math.max(deadlineAt, startAt + Math.min(intervalSeconds * 1000, longestTurn))
}

/**
 * 13 digits of Unix milliseconds of the decision, then two from the claim number. The claim number keeps ids apart
 * within one millisecond, even across processes.
 */
export function analysisIdOf(decidedAt: number, claimNo: number): number {
  return Math.floor(decidedAt) * 100 + (claimNo % 100)
}
