import sql, { raw } from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AnalysisRow, insertUnmarked } from '../../src/history/analyses.ts'
import { HistoryOnMachines } from '../../src/history/on-machines.ts'
import { addToRollUps } from '../../src/history/roll-ups.ts'
import type { HistoryWriter } from '../../src/history/writer.ts'
import { isOnCluster } from '../support/database.ts'
import {
  analysesOf,
  changesOf,
  intentsOf,
  type MonitoringWorld,
  type MortalMonitoring,
  monitoringWorld,
  silentLog,
} from '../support/monitoring.ts'
import { catalogue } from '../support/standing-machines.ts'

/** A process is killed around the two commits of a round: of its verdict, and of its analysis on another machine. */
let world: MonitoringWorld
beforeAll(async () => {
  world = await monitoringWorld()
  if (!isOnCluster) await world.database.execute(raw(catalogue))
})
afterEach(async () => {
  world.endProcesses()
  await world.clear()
  await world.database.execute(sql`truncate unsent_analyses, usage_counters`)
})
afterAll(() => world.drop())

/** Each machine has connections of its own to the one database. */
function onMachines(): HistoryOnMachines {
  return new HistoryOnMachines({
    ...{ database: world.database, openMachine: () => world.database, log: silentLog },
    ...{ monotonic: () => 0, patience: { write: 60_000, ask: 60_000 } },
  })
}

interface Moments {
  /** After the analyses were handed over, before the verdict is committed. */
  readonly handedOver?: () => void
  /** After the verdict is committed, before the analyses are sent. */
  readonly judged?: () => void
  /** After the analyses arrived, before that is known. */
  readonly arrived?: () => void
}

function interrupted({ handedOver, judged, arrived }: Moments): HistoryWriter {
  const history = onMachines()
  return {
    async write(transaction, analyses) {
      const written = await history.write(transaction, analyses)
      handedOver?.()
      return {
        fresh: written.fresh,
        async committed() {
          judged?.()
          if (arrived === undefined) return
          await send(analyses)
          arrived()
        },
      }
    },
  }
}

async function send(analyses: readonly AnalysisRow[]): Promise<void> {
  await world.database.transaction(async (transaction) => {
    await addToRollUps(transaction, await insertUnmarked(transaction, analyses))
  })
}

/** A process that is killed in its first round at this moment. */
async function killedAt(moment: keyof Moments): Promise<void> {
  let victim: MortalMonitoring | null = null
  const history = interrupted({ [moment]: () => victim?.die() })
  victim = await world.start({ history })
  await victim.drain()
}

const leaseSeconds = 300

/** Another process goes on for some rounds once the lease has ended, and sends what was left. */
async function goOn(): Promise<void> {
  const history = onMachines()
  const heir = await world.start({ history })
  world.clock.advanceTo(world.clock.now() + leaseSeconds * 1000)
  await heir.drain()
  await world.pass(heir, 300)
  await world.database.execute(sql`update unsent_analyses set written_at = written_at - interval '1 minute'`)
  while (await history.catchUp());
}

/** How often the service was analysed: in the history, in the sums of charts, and in the usage of its owner. */
async function counts(serviceId: number) {
  const [row] = await world.database.query<{ checks: number; used: number; kept: number }>(sql`
    select (select coalesce(sum(ok_checks + error_checks), 0)::int from hourly_performance) as checks,
      (select coalesce(sum(analyses), 0)::int from usage_counters) as used,
      (select count(*)::int from unsent_analyses) as kept`)
  const analyses = (await analysesOf(world.database, serviceId)).length
  return { analyses, checks: row?.checks, used: row?.used, kept: row?.kept }
}

test.each([
  ['handedOver', { judged: 0, analyses: 0 }],
  ['judged', { judged: 1, analyses: 0 }],
  ['arrived', { judged: 1, analyses: 1 }],
] as const)('killed when its analysis was %s: judged and kept, or neither, and told once', async (moment, left) => {
  const serviceId = await world.addService()
  world.stations.answer = () => 'error'
  await killedAt(moment)
  expect(await changesOf(world.database, serviceId)).toHaveLength(left.judged)
  expect(await counts(serviceId)).toMatchObject({ analyses: left.analyses, used: left.judged, kept: left.judged })
  await goOn()
  const { analyses, checks, used, kept } = await counts(serviceId)
  expect(analyses).toBeGreaterThan(2)
  expect({ used, checks, kept }).toEqual({ used: analyses, checks: 3 * analyses, kept: 0 })
  expect(await changesOf(world.database, serviceId)).toHaveLength(1)
  expect(await intentsOf(world.database, serviceId)).toHaveLength(1)
})

test('a backup of a cluster that is restored on one server: its start writes what was not sent', async () => {
  const serviceId = await world.addService()
  await killedAt('judged')
  expect(await counts(serviceId)).toMatchObject({ analyses: 0, used: 1, kept: 1 })
  await world.start({})
  expect(await counts(serviceId)).toEqual({ analyses: 1, checks: 3, used: 1, kept: 0 })
})
