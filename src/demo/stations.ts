/**
 * The stations of the month: their measurements follow from the story alone. The same job always has the same answer.
 */
import { errorType, resultOfFailure } from '../domain/judging/error-types.ts'
import type { ServiceType } from '../domain/services/service-types.ts'
import type { CheckEvidence, CheckJob, CheckResult, Phases, Stations, StepResult } from '../sensor/protocol.ts'
import { demoType, stationPlaces } from './company.ts'
import { around, diceOf } from './dice.ts'
import { type Mood, moodIn, type Story } from './moods.ts'
import { evidenceAt, type Samples } from './samples.ts'
import type { RoundTime } from './simulate.ts'
import type { DemoService } from './watched.ts'
import { serverTime } from './weather.ts'

export interface Watched {
  readonly service: DemoService
  /** The steps of a scenario. */
  readonly stepNames: readonly string[]
}

export interface StoryStations {
  readonly seed: number
  readonly story: Story
  /** Awaited by the first check that fails or needs a picture; the month can begin without it. */
  readonly samples: Promise<Samples>
  /** In the order of their places. */
  readonly sensorIds: readonly number[]
  readonly watched: ReadonlyMap<number, Watched>
}

/** Milliseconds that loading a page takes beside the server's answer. */
const rendering = 310
const nothing = { dns: null, connect: null, tls: null, sent: null, first_byte: null, transfer: null } as const

export function storyStations(parts: StoryStations, time: RoundTime): Stations {
  const placeOf = new Map(parts.sensorIds.map((id, place) => [id, place]))
  return {
    isConnected: (sensorId) => isPresent(parts.story, placeOf.get(sensorId) ?? -1, time.at),
    leadMs: () => 0,
    async check(job) {
      const conditions = conditionsOf(job, placeOf.get(job.sensorId) ?? 0, parts)
      const { result, takes } = conditions.isFailing
        ? failed(job, conditions, await parts.samples)
        : await pictured(job, succeeded(job, conditions), conditions.watched.service, parts)
      time.at = Math.max(time.at, conditions.startedAt + Math.ceil(takes))
      return result
    },
    diagnose: async () => ({ isOk: false, lines: ['This station is of the past.'] }),
  }
}

/** A good page brings its picture if the job asks for one. */
async function pictured(job: CheckJob, answer: Answer, service: DemoService, parts: StoryStations): Promise<Answer> {
  if (job.wantsScreenshot !== true) return answer
  const evidence = (await parts.samples).good.get(service.key) ?? null
  return { ...answer, result: { ...answer.result, evidence } }
}

function isPresent(story: Story, place: number, at: number): boolean {
  if (place < 0) return false
  return !story.absences.some(({ station, fromAt, toAt }) => station === place && at >= fromAt && at < toAt)
}

interface Answer {
  readonly result: CheckResult
  /** Milliseconds. */
  readonly takes: number
}

interface Conditions extends Mood {
  readonly watched: Watched
  readonly place: number
  readonly dice: () => number
  readonly startedAt: number
}

function conditionsOf(job: CheckJob, place: number, parts: StoryStations): Conditions {
  const watched = parts.watched.get(job.serviceId)
  if (watched === undefined) throw new Error(`Service ${job.serviceId} is not in the story.`)
  const dice = diceOf(parts.seed, job.serviceId, job.sensorId, job.startAt)
  const { isFailing, slowness } = moodIn(parts.story, watched.service.part, job.startAt, place)
  return { isFailing, slowness, watched, place, dice, startedAt: job.startAt + Math.floor(dice() * 3) }
}

function succeeded(job: CheckJob, { watched, place, slowness, dice, startedAt }: Conditions): Answer {
  const { service, stepNames } = watched
  const distance = around(stationPlaces[place]?.distance ?? 1, 0.18, dice)
  const key = job.serviceId * 100 + place
  const server = service.server === 0 ? 0 : serverTime(service.server, job.startAt, key) * slowness
  const type = demoType(service.typeId)
  const phases = (phasesOf[type.check] ?? answering)({ type, distance, server, dice })
  const steps = stepNames.length === 0 ? null : stepsOf(stepNames, server, dice)
  const takes = sumOf(phases) + (steps?.takes ?? 0)
  const size = service.bytes === 0 ? null : service.bytes
  const result: CheckResult = {
    serviceId: job.serviceId,
    sensorId: job.sensorId,
    result: 'ok',
    startedAt,
    responseTime: Math.round(takes),
    dataSize: size,
    errorTypeId: null,
    errorMessage: null,
    phases,
    steps: steps?.results ?? null,
    evidence: null,
  }
  const { degraded_response_time: limit } = job.settings
  if (typeof limit === 'number' && takes > limit) return { result: { ...result, degraded: ['slow'] }, takes }
  return { result, takes }
}

function sumOf({ dns, connect, tls, sent, first_byte, transfer }: Phases): number {
  return (dns ?? 0) + (connect ?? 0) + (tls ?? 0) + (sent ?? 0) + (first_byte ?? 0) + (transfer ?? 0)
}

interface Course {
  readonly type: ServiceType
  readonly distance: number
  readonly server: number
  readonly dice: () => number
}

/** In the browser; a phone takes longer. */
function pagePhases(course: Course): Phases {
  const { type, distance, server, dice } = course
  const [connect, tls] = [connecting(course), shakingHands(course)]
  const drawing = type.category === 'mobile' ? 2.3 * rendering : rendering
  return { ...nothing, connect, tls, first_byte: distance + server, transfer: around(drawing, 0.1, dice) }
}

/** A connection and an answer. */
function answering(course: Course): Phases {
  return { ...nothing, connect: connecting(course), first_byte: course.distance + course.server }
}

/** The phases that each check really measures; the others connect and wait for an answer. */
const phasesOf: Readonly<Record<string, (course: Course) => Phases>> = {
  ping: (course) => ({ ...nothing, first_byte: connecting(course) }),
  tcp_connect: (course) => ({ ...nothing, connect: connecting(course) }),
  dns({ distance, server }) {
    return { ...nothing, first_byte: distance + server }
  },
  smtp_helo(course) {
    const { distance, server, dice } = course
    const connect = connecting(course)
    return { ...nothing, connect, first_byte: distance + server, transfer: distance + around(0.6, 0.3, dice) }
  },
  http(course) {
    const { distance, server, dice } = course
    const [connect, tls] = [connecting(course), shakingHands(course)]
    const sent = around(0.15, 0.3, dice)
    return { dns: null, connect, tls, sent, first_byte: distance + server, transfer: around(0.4, 0.4, dice) }
  },
  page: pagePhases,
  scenario: pagePhases,
}

function connecting({ distance, dice }: Course): number {
  return distance + around(0.12, 0.3, dice)
}

function shakingHands({ type, distance, dice }: Course): number | null {
  return type.addressPrefix === 'https://' ? distance + around(2.2, 0.25, dice) : null
}

/** Without a person's thinking time: the program types at once. */
function stepsOf(names: readonly string[], server: number, dice: () => number) {
  const results = names.map((name, index): StepResult => {
    const isNavigation = index === 1 || index === names.length - 2
    const takes = isNavigation ? server + around(180, 0.12, dice) : around(index === 0 ? 4 : 32, 0.2, dice)
    return { name, result: 'ok', responseTime: Math.round(takes) }
  })
  return { results, takes: results.reduce((sum, { responseTime }) => sum + (responseTime ?? 0), 0) }
}

/** The last step but one does not find its button. */
function failedSteps(names: readonly string[]): readonly StepResult[] | null {
  if (names.length === 0) return null
  const failing = names.length - 2
  return names.map((name, index) => {
    if (index > failing) return { name, result: 'not_run', responseTime: null }
    return {
      name,
      result: index === failing ? 'error' : 'ok',
      responseTime: index === failing ? 5003 : 40 + 70 * index,
    }
  })
}

function failed(job: CheckJob, { watched, startedAt }: Conditions, samples: Samples): Answer {
  const { service, stepNames } = watched
  const { symbol, message, takes, status } = service.failing
  const sample = samples.failed.get(service.key)
  const evidence = sample === undefined ? plainEvidence(job, status ?? null) : evidenceAt(sample, startedAt)
  const result: CheckResult = {
    ...{ serviceId: job.serviceId, sensorId: job.sensorId, result: resultOfFailure(symbol), startedAt },
    ...{ responseTime: Math.round(takes), dataSize: null },
    ...{
      errorTypeId: errorType(symbol).id,
      errorMessage: message,
      phases: { ...nothing, connect: Math.min(takes, 0.4) },
    },
    ...{ steps: failedSteps(stepNames), evidence },
  }
  return { result, takes }
}

/** If the targets could not be made to fail: the facts that the check itself knows. */
function plainEvidence(job: CheckJob, status: number | null): CheckEvidence {
  return {
    ...{ base_url: job.address, ip_address: job.address.includes('::1') ? '::1' : '127.0.0.1', status_code: status },
    ...{ response_headers: null, content_type: null, file_name: null, facts: {}, artifacts: [] },
  }
}
