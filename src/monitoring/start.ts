import type { Database } from '../database/connect.ts'
import type { PartitionMode } from '../database/partitions.ts'
import { diagnosticsWaiting } from '../database/services/diagnostics.ts'
import { markSensorsSeen } from '../database/services/sensors.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import type { Clock } from '../domain/clock.ts'
import type { AdministratorContact } from '../domain/notification/letter.ts'
import { packClosedDays } from '../history/packed/pack-days.ts'
import { sendAllUnsent } from '../history/unsent.ts'
import type { HistoryWriter } from '../history/writer.ts'
import { AbandonedWork } from '../presence/abandoned.ts'
import { ChannelListener } from '../presence/channel-listener.ts'
import type { Stations } from '../sensor/protocol.ts'
import { pruneMissedRounds } from '../service-state/missed-rounds.ts'
import { pruneForcedAnalyses } from '../service-state/schedule.ts'
import { tellUnchecked } from '../service-state/untold.ts'
import { type MonitoringTelemetry, nobodyWatchesRounds } from '../telemetry/port.ts'
import { systemTimers, type Timers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import { leadOf } from './analyse.ts'
import { ClockWatch } from './clock-watch.ts'
import { type CoreChecks, noCoreChecks } from './core-checks.ts'
import { DayPartitions } from './day-partitions.ts'
import { Diagnostician } from './diagnostician.ts'
import { EvidenceKeeper, type KeepArtifact } from './evidence.ts'
import { GoodScreenshots } from './good-screenshots.ts'
import { type Log, Outage } from './outage.ts'
import { OwnerKeys } from './owner-keys.ts'
import { Recorder } from './recorder.ts'
import { Retention } from './retention.ts'
import { runRound } from './round.ts'
import { Scheduler } from './scheduler.ts'
import { SensorWatch } from './sensor-watch.ts'
import { SensorDirectory } from './stations.ts'
import { Suspender } from './suspend.ts'

/** Milliseconds. */
const heartbeatPause = 10_000
const housekeepingPause = 3_600_000
const tidyingPause = 600_000
/** Between two looks for analyses that did not reach their machine. */
const catchUpPause = 5000
/** The counts of missed rounds are kept for as long as someone may ask what went wrong last month. */
const missedRoundsKept = 31 * dayLength
/** Milliseconds that rounds under way get at the end. */
export const stopPatience = 9000

const nobody: AdministratorContact = { addresses: [], language: 'en' }

export interface MonitoringOptions {
  readonly database: Database
  readonly stations: Stations
  /** The checks without stations; none by default. */
  readonly core?: CoreChecks
  readonly clock: Clock
  readonly log: Log
  readonly keepArtifact: KeepArtifact
  /** Whole days that history and logs are kept. */
  readonly retentionDays: number
  /** Whole days that the audit log is kept; default 400. */
  readonly auditRetentionDays?: number
  /** Removes the artifacts of analyses decided before the moment, and those of removed services; returns how many. */
  readonly pruneArtifacts: (beforeAt: number) => Promise<number>
  /**
   * Packs the days of the history that are closed at the moment; returns how many analyses were packed. By default in
   * this process.
   */
  readonly packHistory?: (nowAt: number) => Promise<number>
  /** Notified of lost sensors; nobody by default. */
  readonly administratorContact?: AdministratorContact
  /** Called when the disk of the database is found full, and when it has room again. */
  readonly diskIsFull?: (isFull: boolean) => void
  readonly partitionMode?: PartitionMode
  /** The way of analyses into the history; by default the transaction of their rounds. */
  readonly history?: HistoryWriter | undefined
  readonly timers?: Timers
  /** Observes the rounds; nobody by default. */
  readonly telemetry?: MonitoringTelemetry
  /** Nothing runs by itself; only `drain` does work. For tests on a virtual clock. */
  readonly manual?: boolean
}

export interface Monitoring {
  /** Starts no more rounds, finishes those under way within nine seconds and hands back the others. */
  stop(): Promise<void>
  /** Finishes everything due now and records it. */
  drain(): Promise<void>
}

interface Machinery {
  readonly outage: Outage
  readonly recorder: Recorder
  readonly scheduler: Scheduler
  readonly suspender: Suspender
  readonly diagnostician: Diagnostician
  readonly listener: ChannelListener
  readonly timers: Timers
  /** Reads the sensors and reports in those that are connected here. */
  beat(): Promise<void>
  keepHouse(): Promise<void>
  /** Removes what is kept no longer. May take long: nothing waits for it. */
  tidy(): Promise<void>
}

/** Packs in this process. */
function packerOf({ database, partitionMode: mode = 'native' }: MonitoringOptions): (nowAt: number) => Promise<number> {
  return async (nowAt) => (await packClosedDays(database, { nowAt, mode })).packedAnalyses
}

/** Without sensors every one would count as lost: the database may have been away at the start. */
async function readWhatRoundsNeed(
  { sensors, ownerKeys }: { readonly sensors: SensorDirectory; readonly ownerKeys: OwnerKeys },
  database: Database,
): Promise<void> {
  if (!sensors.isKnown) await sensors.refresh(database)
  await ownerKeys.load(database)
}

function countRounds(telemetry: MonitoringTelemetry, scheduler: Scheduler, recorder: Recorder): void {
  telemetry.watch({
    roundsInLine: () => scheduler.inLine,
    roundsUnderWay: () => scheduler.underWay,
    roundsToRecord: () => recorder.waiting,
  })
}

function assemble(options: MonitoringOptions): Machinery {
  const { database, stations, clock, log, keepArtifact, timers = systemTimers, manual = false } = options
  const { telemetry = nobodyWatchesRounds, core = noCoreChecks, history } = options
  const outage = new Outage(timers, log, options.diskIsFull)
  const sensors = new SensorDirectory(stations)
  const partitions = new DayPartitions(database, options.partitionMode ?? 'native')
  const recorder = new Recorder({ database, history, sensors, partitions, clock, timers, outage, log, telemetry })
  const evidence = new EvidenceKeeper({ keepArtifact, timers, log, onMissing: telemetry.evidenceMissing })
  const keepers = { evidence, goodScreenshots: new GoodScreenshots(database, log) }
  const parts = { stations, core, ownerKeys: new OwnerKeys(), sensors, clock, timers, recorder, ...keepers, log }
  // One channel for all: each would hold a connection.
  const listener = new ChannelListener(database, 'schedule', (payload) => {
    if (payload === diagnosticsWaiting) return diagnostician.wake()
    suspender.wake()
    scheduler.wake()
  })
  const session = () => listener.session
  const scheduler = new Scheduler({
    ...{ database, clock, timers, outage, log, recorder, telemetry, session },
    leadOf: ({ sensorIds }) => leadOf(sensorIds, stations),
    abandoned: new AbandonedWork({ database, clock, timers, log, listener, kinds: ['rounds', 'diagnostics'] }),
    watch: new ClockWatch({ database, clock, timers, log }),
    async run(claim, target) {
      await readWhatRoundsNeed(parts, database)
      await runRound(claim, target, parts)
    },
  })
  countRounds(telemetry, scheduler, recorder)
  const retention = new Retention({ packHistory: packerOf(options), ...options })
  const watch = new SensorWatch({ administratorContact: nobody, ...options, timers, sensors })
  const suspender = new Suspender({ database, clock, timers, outage, session })
  const diagnostician = new Diagnostician({ database, stations, sensors, clock, timers, outage, session })
  return {
    ...{ outage, recorder, scheduler, suspender, diagnostician, listener, timers },
    async beat() {
      if (!manual) await listener.listen(outage.count)
      await sensors.refresh(database)
      await markSensorsSeen(database, sensors.connectedIds(), clock.now())
      await watch.look()
      await tellUnchecked(database, clock.now())
    },
    keepHouse: () => keepHouse(options, partitions),
    tidy: () => retention.keep().then(() => core.tidy()),
  }
}

/** Makes the coming days, and forgets requests and missed rounds that nothing counts any more. */
async function keepHouse({ database, clock, history }: MonitoringOptions, partitions: DayPartitions): Promise<void> {
  const now = clock.now()
  await partitions.ensure(now)
  // A restored backup of a cluster may have some.
  if (history === undefined) await sendAllUnsent(database, { age: 0 })
  await pruneForcedAnalyses(database, now)
  await pruneMissedRounds(database, now - missedRoundsKept)
}

/** Starts monitoring on the stations that this process reaches. Any number of processes may share one database. */
export async function startMonitoring(options: MonitoringOptions): Promise<Monitoring> {
  const { manual = false } = options
  const { outage, recorder, scheduler, suspender, diagnostician, listener, timers, beat, keepHouse, tidy } =
    assemble(options)
  const heartbeat = () => outage.guard('The sensors’ heartbeat', beat)
  const housekeeping = () => outage.guard('Housekeeping', keepHouse)
  const tidying = () => outage.guard('Removing old data', tidy)
  await heartbeat()
  await housekeeping()
  const duties = manual
    ? []
    : [
        repeat(timers, heartbeatPause, heartbeat),
        repeat(timers, housekeepingPause, housekeeping),
        repeat(timers, tidyingPause, tidying),
      ]
  const catchingUp = new Turns({
    timers,
    take: async () => ((await options.history?.catchUp?.()) === true ? 0 : catchUpPause),
  })
  if (!manual) {
    if (options.history?.catchUp !== undefined) catchingUp.start()
    suspender.start()
    scheduler.start()
    diagnostician.start()
  }
  return {
    async stop() {
      for (const cancel of duties) cancel()
      await diagnostician.stop()
      await suspender.stop()
      await scheduler.stop(stopPatience)
      recorder.end()
      await catchingUp.stop()
      // Its session ends last: what is under way must not look abandoned.
      await listener.close()
      recorder.cancelFlush()
    },
    async drain() {
      await Promise.all([beat(), suspender.drain()])
      await scheduler.drain()
      await diagnostician.drain()
    },
  }
}

/** Repeats work, each time a pause after the last has ended. */
function repeat(timers: Timers, pause: number, work: () => Promise<unknown>): () => void {
  let isOn = true
  let cancel = () => {}
  const again = () => {
    cancel = timers.after(pause, () => void work().finally(() => isOn && again()))
  }
  again()
  return () => {
    isOn = false
    cancel()
  }
}
