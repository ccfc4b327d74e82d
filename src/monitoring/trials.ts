import sql from 'sql-template-tag'
import type { Database } from '../database/connect.ts'
import type { Trials } from '../database/services/trials.ts'
import type { Clock } from '../domain/clock.ts'
import type { AssignedSensorIds } from '../domain/judging/assigned-sensors.ts'
import type { TriedDefinition } from '../domain/judging/trial.ts'
import { type Stations, trialServiceId } from '../sensor/protocol.ts'
import { type AnalysedTarget, sensorsFor } from '../service-state/claims.ts'
import { systemTimers, type Timers } from '../turns/timers.ts'
import { analyse } from './analyse.ts'
import { type CoreChecks, noCoreChecks } from './core-checks.ts'
import { OwnerKeys } from './owner-keys.ts'
import { SensorDirectory } from './stations.ts'

export interface TrialOptions {
  readonly database: Database
  readonly stations: Stations
  readonly clock: Clock
  readonly timers?: Timers
  /** None by default. */
  readonly core?: CoreChecks
  /** Ends every trial: the process stops. */
  readonly ended?: AbortSignal
}

/** A trial waits for no turn of a browser beyond its usual deadline. Seconds. */
const noInterval = 0

async function targetOf(database: Database, tried: TriedDefinition): Promise<AnalysedTarget> {
  const [found] = await database.query<{ primary_account_id: number; assigned_sensor_ids: AssignedSensorIds }>(sql`
    select coalesce(accounts.parent_account_id, accounts.id) as primary_account_id, groups.assigned_sensor_ids
    from accounts, groups where accounts.id = ${tried.ownerId} and groups.id = ${tried.groupId}`)
  return {
    ...{ id: trialServiceId, interval: noInterval, type_id: tried.typeId, address: tried.address },
    extended_settings: tried.settings,
    primary_account_id: found?.primary_account_id ?? tried.ownerId,
    sensorIds: sensorsFor(tried.typeId, tried.sensorIds, found?.assigned_sensor_ids ?? {}),
  }
}

/** Has the stations of all processes check definitions as they check services; nothing is recorded. */
export function trialsOn(options: TrialOptions): Trials {
  const { database, stations, clock, timers = systemTimers, core = noCoreChecks, ended } = options
  const sensors = new SensorDirectory(stations)
  const ownerKeys = new OwnerKeys()
  return {
    async prepare(definition) {
      const target = await targetOf(database, definition)
      await sensors.refresh(database)
      await ownerKeys.load(database)
      return {
        run({ heard, ended: hungUp }) {
          const isOver = ended === undefined ? hungUp : AbortSignal.any([hungUp, ended])
          const claim = { dueAt: clock.now(), claimNo: 0 }
          return analyse(claim, target, { stations, core, sensors, clock, timers, ownerKeys }, { heard, ended: isOver })
        },
      }
    },
  }
}

/** Where no station is reached: every trial ends without a verdict. */
export const noTrials: Trials = { prepare: async () => ({ run: async () => null }) }
