/**
 * Fills an empty database with a company and a month of its history. It uses the program's own parts on a clock that is
 * set by hand.
 */

import sql from 'sql-template-tag'
import { createAuthenticator } from '../auth/authenticate.ts'
import type { ArtifactStore } from '../database/artifacts/store.ts'
import type { Database } from '../database/connect.ts'
import { markSensorsSeen } from '../database/services/sensors.ts'
import { textCollation } from '../database/text.ts'
import type { AccountDefaults } from '../domain/access/account-defaults.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import type { Clock } from '../domain/clock.ts'
import type { LanguageId } from '../domain/dictionaries.ts'
import { errorTypeById } from '../domain/judging/error-types.ts'
import { pathSteps } from '../domain/services/path-steps.ts'
import { parseScenario } from '../domain/services/scenario.ts'
import { SensorDirectory } from '../monitoring/stations.ts'
import { noTrials } from '../monitoring/trials.ts'
import { pictureReader } from '../notifications/pictures.ts'
import { startNotifier } from '../notifications/start.ts'
import { ensureLocalSensors, makeFirstLogins, noteSensorCategories } from '../program/first-start.ts'
import type { Log } from '../program/log.ts'
import { previews } from '../program/previews.ts'
import { startReporter } from '../reports/start.ts'
import type { Render } from '../reports/work.ts'
import { EventFeed } from '../resources/event-stream/feed.ts'
import { allResources } from '../resources/index.ts'
import { unlimited } from '../rest/rate-limit.ts'
import { buildApi } from '../rest/server.ts'
import { errorTypeText } from '../wording/error-types.ts'
import { backupCues } from './backups.ts'
import { askForReport, beginLife, cuesOf } from './chronicle.ts'
import { stationPlaces } from './company.ts'
import { type Cue, Month, type SharedTime } from './month.ts'
import { localMoment, storyUntil } from './moods.ts'
import { type Login, People, type Person } from './people.ts'
import type { Samples } from './samples.ts'
import type { RoundTime } from './simulate.ts'
import { storyStations, type Watched } from './stations.ts'
import type { Made, StoryFacts } from './story-facts.ts'
import type { DemoService, TargetPorts } from './watched.ts'

export interface MonthOptions {
  readonly database: Database
  readonly artifacts: ArtifactStore
  readonly log: Log
  readonly outboxDirectory: string
  readonly mailFrom: string
  readonly publicUrl: string
  readonly render: Render
  readonly logins: Readonly<Record<Person, Login>>
  /** The language of the owner's account. */
  readonly languageId: LanguageId
  readonly services: readonly DemoService[]
  readonly places: TargetPorts
  /** May still be running while the month begins. */
  readonly samples: Promise<Samples>
  /** Categories that the stations of this machine can check. */
  readonly categories: readonly string[]
  /** The same seed makes the same month. */
  readonly seed: number
  readonly days: number
  /** The end of the month, Unix milliseconds. */
  readonly toAt: number
  /** The clock at the end of making: the time since `toAt` is simulated too. Absent: none. */
  readonly clock?: Clock
  readonly minimumIntervalSeconds: number
  readonly told: (at: number) => void
  readonly signal: AbortSignal
}

export interface MadeMonth extends Made {
  readonly fromAt: number
}

/** After the company's midnight, when the reports of the day before are made. Milliseconds. */
const reportingDelay = 301_000
/** Milliseconds: a restart loses as much. */
const shortestGap = 20_000
const mostTurns = 3
/** The interval of the progress bar and of packing days. */
const stepLength = dayLength / 4

export async function makeMonth(options: MonthOptions): Promise<MadeMonth> {
  const { database, toAt, days } = options
  const time: SharedTime = { at: toAt - days * dayLength }
  const fromAt = time.at
  const sensorIds = await setUpStations(options, fromAt)
  const offices = await openOffices(options, time)
  try {
    const facts: StoryFacts = { ...options, people: offices.people, sensorIds }
    await nameStations(facts)
    const made = await beginLife(facts)
    const month = new Month({
      ...{ database, time, toAt, tell: offices.tell },
      ...(await stationsOf(options, sensorIds, made)),
      keepArtifact: options.artifacts.put,
    })
    for (const id of made.serviceIds.values()) month.begin(id)
    await month.live(allCues(facts, made, { fromAt, month, offices, options, time }), options.told, options.signal)
    await askForReport(facts, fromAt)
    await catchUp({ fromAt, month, offices, options, time })
    await month.end()
    await database.execute(sql`vacuum analyze`)
    return { ...made, fromAt }
  } finally {
    await offices.close()
  }
}

/** The company lives in Warsaw and writes in the viewer's language. */
function accountDefaultsOf({ languageId }: MonthOptions): AccountDefaults {
  return { languageId, timeZoneId: 'europe_warsaw' }
}

async function setUpStations(options: MonthOptions, fromAt: number): Promise<number[]> {
  const { database, logins, categories, minimumIntervalSeconds } = options
  const sensorIds = await ensureLocalSensors(database, stationPlaces.length)
  await noteSensorCategories(database, sensorIds, categories)
  await markSensorsSeen(database, sensorIds, fromAt)
  const first = {
    ...{ firstAdministrator: logins.administrator, firstAccount: logins.owner },
    ...{ minimumIntervalSeconds, accountDefaults: accountDefaultsOf(options) },
  }
  await makeFirstLogins(database, first, fromAt)
  return sensorIds
}

async function nameStations({ people, sensorIds }: StoryFacts): Promise<void> {
  for (const [index, id] of sensorIds.entries()) {
    const { distance: _distance, ...place } = stationPlaces[index] ?? stationPlaces[0]
    await people.call('administrator', 'PUT', `/admin/sensors/${id}`, place)
  }
}

/** The stations of the month, with their sensors. */
async function stationsOf(options: MonthOptions, sensorIds: readonly number[], made: Made) {
  const { database, seed, samples, toAt } = options
  const roundTime: RoundTime = { at: 0 }
  const story = { seed, samples, sensorIds, story: storyUntil(toAt), watched: watchedOf(options, made) }
  const stations = storyStations(story, roundTime)
  const sensors = new SensorDirectory(stations)
  await sensors.refresh(database)
  return { roundTime, stations, sensors }
}

function watchedOf({ services, places }: MonthOptions, { serviceIds }: Made): Map<number, Watched> {
  return new Map(
    services.flatMap((service) => {
      const id = serviceIds.get(service.key)
      return id === undefined ? [] : [[id, { service, stepNames: stepNamesOf(service, places) }] as const]
    }),
  )
}

function stepNamesOf(service: DemoService, places: TargetPorts): readonly string[] {
  const recorded = service.settings?.(places)['scenario']
  if (typeof recorded !== 'string') return []
  const { scenario } = parseScenario(recorded, 'scenario')
  return scenario === null ? [] : pathSteps(scenario)
}

interface Offices {
  readonly people: People
  /** Sends waiting messages. */
  tell(): Promise<void>
  /** Makes the due reports. */
  report(): Promise<void>
  close(): Promise<void>
}

/** The API, the notifier and the reporter, all on the month's clock. */
async function openOffices(options: MonthOptions, time: SharedTime): Promise<Offices> {
  const { database, artifacts, log, publicUrl, render } = options
  const clock = { now: () => time.at }
  const authenticator = createAuthenticator({ database, clock, loginLimit: 1000 })
  const api = await buildApi({
    ...{ database, clock, log, publicUrl, requestsPerMinute: unlimited, trustedProxies: [] },
    registry: allResources({
      ...{ authenticator, artifacts, isRegistrationOpen: false, configuredClientIds: [] },
      mustConfirmAddresses: false,
      trials: noTrials,
      events: new EventFeed({ database, clock, onFault: () => undefined }),
      forceLimits: { minute: 3, hour: 30, day: 100 },
      accountDefaults: accountDefaultsOf(options),
      previews,
    }),
    authenticate: authenticator.authenticate,
    collation: await textCollation(database),
  })
  const mail = { from: options.mailFrom, outboxDirectory: options.outboxDirectory }
  const readPicture = pictureReader(database, artifacts, log)
  const notifier = await startNotifier({ ...{ database, clock, log, mail, publicUrl }, diagnose, readPicture })
  // Moves only when everything until then is known, because a report must not see half an hour.
  const reporting = { at: time.at }
  const reporter = await startReporter({ ...{ database, log, render }, clock: { now: () => reporting.at } })
  return {
    people: new People(api, options.logins),
    tell: () => notifier.drain(),
    async report() {
      reporting.at = time.at
      await reporter.drain()
    },
    async close() {
      await Promise.all([notifier.stop(), reporter.stop(), api.close()])
    },
  }
}

function diagnose(errorTypeId: number, language: 'pl' | 'en') {
  const errorType = errorTypeById(errorTypeId)
  return errorType === null ? null : errorTypeText(errorType.symbol, language)
}

/** On a slow machine the month ended minutes ago; nothing may look overdue when the program starts. */
async function catchUp({ month, offices, options, time }: Course): Promise<void> {
  const { clock, told, signal } = options
  for (let turn = 0; turn < mostTurns; turn++) {
    await offices.report()
    await offices.tell()
    const nowAt = clock?.now() ?? time.at
    if (nowAt - time.at < shortestGap) return
    await month.live([{ at: nowAt, serviceIds: () => month.serviceIds(), play: offices.tell }], told, signal)
  }
}

interface Course {
  readonly fromAt: number
  readonly month: Month
  readonly offices: Offices
  readonly options: MonthOptions
  readonly time: SharedTime
}

function allCues(facts: StoryFacts, made: Made, course: Course): Cue[] {
  const { fromAt, month, offices, options } = course
  const { toAt, database } = options
  const everything = () => month.serviceIds()
  const step = async (at: number) => {
    await markSensorsSeen(database, facts.sensorIds, at)
    await month.packDays(at)
  }
  const report = async (at: number) => {
    await step(at)
    await offices.report()
    await offices.tell()
  }
  const backup = made.serviceIds.get('backup')
  const reports = backup === undefined ? [] : backupCues(options.database, backup, { fromAt, toAt })
  const cues: Cue[] = [...cuesOf(facts, made, fromAt), ...reports]
  for (let at = fromAt + stepLength; at < toAt; at += stepLength)
    cues.push({ at, serviceIds: () => [], play: () => step(at) })
  for (let daysAgo = options.days; daysAgo >= 0; daysAgo--) {
    const at = localMoment(toAt, daysAgo, '00:00') + reportingDelay
    if (at > fromAt && at < toAt) cues.push({ at, serviceIds: everything, play: () => report(at) })
  }
  cues.push({ at: toAt, serviceIds: everything, play: () => report(toAt) })
  return cues.toSorted((one, other) => one.at - other.at)
}
