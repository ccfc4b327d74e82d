import type { Database } from '../database/connect.ts'
import type { PartitionMode } from '../database/partitions.ts'
import { pruneForcedAnalyses } from '../database/schedule.ts'
import { markSensorsSeen } from '../database/sensors.ts'
import type { Clock } from '../domain/clock.ts'
import type { Stations } from '../sensor/protocol.ts'
import { DayPartitions } from './day-partitions.ts'
import { Ear } from './ear.ts'
import { type Log, Outage } from './outage.ts'
import { Recorder } from './recorder.ts'
import { type KeepContent, runRound } from './round.ts'
import { Scheduler } from './scheduler.ts'
import { SensorDirectory } from './stations.ts'
import { systemTimers, type Timers } from './timers.ts'

/** Milliseconds. */
const heartbeatPause = 10_000
const housekeepingPause = 3_600_000
const stopPatience = 9000

export interface MonitoringOptions {
  readonly database: Database
  readonly stations: Stations
  readonly clock: Clock
  readonly log: Log
  readonly keepContent: KeepContent
  readonly partitionMode?: PartitionMode
  readonly timers?: Timers
  /** Nothing runs by itself; only `drain` does work. For tests on a virtual clock. */
  readonly manual?: boolean
}

export interface Monitoring {
  /** Starts no more rounds, finishes those under way within ten seconds and hands back the others. */
  stop(): Promise<void>
  /** Finishes everything due now and records it. */
  drain(): Promise<void>
}

/** Starts monitoring on the stations that this process reaches. Any number of processes may share one database. */
export async function startMonitoring(options: MonitoringOptions): Promise<Monitoring> {
  const { database, stations, clock, log, keepContent, manual = false } = options
  const timers = options.timers ?? systemTimers
  const outage = new Outage(timers, log)
  const sensors = new SensorDirectory(stations)
  const partitions = new DayPartitions(database, options.partitionMode ?? 'native')
  const recorder = new Recorder({ database, sensors, partitions, clock, timers, outage, log })
  const parts = { stations, sensors, clock, timers, recorder, keepContent, log }
  const scheduler = new Scheduler({
    ...{ database, clock, timers, outage, log, recorder },
    async run(claim, target) {
      // Without them every sensor would count as lost: the database may have been away at the start.
      if (!sensors.isKnown) await sensors.refresh(database)
      await runRound(claim, target, parts)
    },
  })

  const ear = new Ear(database, 'schedule', () => scheduler.wake())
  async function beat(): Promise<void> {
    if (!manual) await ear.listen(outage.count)
    await sensors.refresh(database)
    await markSensorsSeen(database, sensors.connectedIds(), clock.now())
  }
  async function keepHouse(): Promise<void> {
    await partitions.ensure(clock.now())
    await pruneForcedAnalyses(database, clock.now())
  }

  await outage.guard('Reading the sensors', beat)
  await outage.guard('Making room for the history', keepHouse)
  const duties = manual
    ? []
    : [
        repeat(timers, heartbeatPause, () => outage.guard('The sensors’ heartbeat', beat)),
        repeat(timers, housekeepingPause, () => outage.guard('Housekeeping', keepHouse)),
      ]
  if (!manual) scheduler.start()
  return {
    async stop() {
      for (const cancel of duties) cancel()
      await ear.close()
      await scheduler.stop(stopPatience)
      recorder.close()
    },
    async drain() {
      await beat()
      await scheduler.drain()
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
