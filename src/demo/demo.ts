/** The program with a demo company: its servers, its month, and everything running. */
import type { Config } from '../config/config.ts'
import { openArtifacts } from '../database/artifacts/open.ts'
import type { Database } from '../database/connect.ts'
import type { DumpProgress } from '../database/dump/progress.ts'
import { openDatabase } from '../database/open.ts'
import { unlessAborted } from '../database/unless-aborted.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import { ensureDataDirectory } from '../program/data-directory.ts'
import { ensureCanListen, urlOf } from '../program/listen.ts'
import type { Log } from '../program/log.ts'
import { type Program, startProgram } from '../program/program.ts'
import { render } from '../reports/render.ts'
import { type LocalStations, startLocalStations } from '../sensor/local.ts'
import { demoServices, stationPlaces } from './company.ts'
import { type Note, newNote, readNote, removeDemo, writeNote } from './installation.ts'
import { makeMonth } from './make-month.ts'
import type { Login, Person } from './people.ts'
import { takeSamples } from './samples.ts'
import { openTargets, type Targets } from './targets/targets.ts'

export interface DemoOptions {
  readonly config: Config
  readonly log: Log
  readonly isFresh: boolean
  readonly days: number
  readonly seed: number
  readonly progress: DumpProgress
  readonly say: (line: string) => void
  readonly signal: AbortSignal
  /** Called with a sentence for a person if the database is lost for good. */
  readonly onLost: (sentence: string) => void
}

export interface Demo extends Pick<Program, 'stop'> {
  readonly apiUrl: string
  /** A link that logs the owner in to the console once. */
  readonly loginLink: string | null
  readonly note: Note
  readonly targets: Targets
}

export function loginsOf({ password }: Pick<Note, 'password'>): Readonly<Record<Person, Login>> {
  const login = (username: string) => ({ username, password })
  return {
    ...{ owner: login('demo'), ania: login('ania'), tom: login('tom') },
    ...{ agency: login('agency'), administrator: login('admin') },
  }
}

/**
 * Starts the demo, and makes its month of history if there is none yet. If it cannot start, everything started is
 * stopped again.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { config, log, say } = options
  const { dataDirectory } = config
  await ensureCanListen(config)
  if (options.isFresh) await removeDemo(dataDirectory)
  let note = await readNote(dataDirectory)
  if (note !== null && note.madeAt === null) {
    say('The last run ended before its month was made; it begins anew.')
    await removeDemo(dataDirectory)
    note = null
  }
  const isNew = note === null
  note ??= newNote(Date.now())
  const targets = await openTargets(note)
  try {
    note = { ...note, places: targets.places }
    if (isNew) note = await makeHistory(options, note, targets)
    const program = await startProgram({
      config: { ...config, rdapBootstrapUrl: `http://127.0.0.1:${targets.places.rdap}/dns.json`, whoisServer: null },
      log,
      clock: { now: () => Date.now() },
      onLost: options.onLost,
      tellFirstLogins: () => undefined,
      signal: options.signal,
    })
    return {
      ...{ apiUrl: program.apiUrl ?? urlOf(config), note, targets },
      loginLink: await program.loginLink(loginsOf(note).owner.username),
      async stop() {
        await program.stop()
        targets.close()
      },
    }
  } catch (error) {
    targets.close()
    throw error
  }
}

async function makeHistory(options: DemoOptions, note: Note, targets: Targets): Promise<Note> {
  const { config, log, progress, days, say, signal, onLost } = options
  const { dataDirectory } = config
  await ensureDataDirectory(dataDirectory)
  say('A month of history is made first, which takes about a minute on an idle machine; later runs start at once.')
  await writeNote(dataDirectory, note)
  progress.begin(days)
  progress.at(0, 'starting the database and the stations')
  const opening = openDatabase({ databaseUrl: undefined, dataDirectory, log, settings: hasty, signal, onLost })
  const starting = startLocalStations({
    ...{ signal, sensorIds, allow: config.allowPrivateTargets, browser: config.browser },
    log: (level, message, facts) => log[level]({ ...facts }, message),
  })
  let toAt: number
  try {
    const [{ database }, stations] = await Promise.all([opening, starting])
    progress.at(0, 'the company moves in, and its servers fail for the evidence')
    signal.throwIfAborted()
    toAt = await unlessAborted(fill(database, options, { note, targets, stations }), signal)
  } finally {
    progress.end()
    const stopped = Promise.allSettled([starting.then((stations) => stations.stop())])
    await Promise.all([stopped, opening.then((opened) => opened.close())])
  }
  // Written only once everything is on the disk.
  const made = { ...note, madeAt: toAt }
  await writeNote(dataDirectory, made)
  say('The month is made; the program starts.')
  return made
}

/**
 * An unfinished month is never used, so nothing needs to be durable before the server stops, which writes everything.
 */
const hasty = { synchronous_commit: 'off', full_page_writes: 'off' }

/** The ids that the program gives first in an empty database. */
const sensorIds = stationPlaces.map((_, index) => index + 1)

interface Scene {
  readonly note: Note
  readonly targets: Targets
  readonly stations: LocalStations
}

/** Returns the moment at which the month ends. */
async function fill(database: Database, options: DemoOptions, { note, targets, stations }: Scene): Promise<number> {
  const { config, log, days, seed, progress, signal } = options
  const { categories } = stations
  const services = demoServices(categories, stations.pingWay !== 'none')
  const samples = takeSamples(services, targets, stations, sensorIds[0] ?? 1)
  // The consumers get the error, even if nobody waits yet.
  samples.catch(() => undefined)
  const clock = { now: () => Date.now() }
  const toAt = clock.now()
  const fromAt = toAt - days * dayLength
  await makeMonth({
    ...{ database, samples, categories, services, days, seed, toAt, clock, render, signal, log },
    artifacts: openArtifacts(config.artifacts),
    ...{ logins: loginsOf(note), languageId: config.accountDefaults.languageId, places: targets.places },
    ...{ outboxDirectory: config.mail.outboxDirectory, mailFrom: config.mail.from },
    publicUrl: config.publicUrl ?? urlOf(config),
    minimumIntervalSeconds: config.minimumIntervalSeconds,
    told: (at) => progress.at((at - fromAt) / dayLength, new Date(at).toISOString().slice(0, 10)),
  })
  return toAt
}
