/** Rounds at the grid of so many services: their cost, how late they start, and the memory that they need. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BenchDatabase } from '../support/bench-database.ts'
import type { Figure } from './figures.ts'
import { intervalSeconds, planRounds } from './population.ts'
import type { RoundsSoFar } from './rounds-process.ts'

/** SIZES_SECONDS: of measured rounds. */
const seconds = Number(process.env['SIZES_SECONDS'] ?? 40)
/** From the plans until the first round. */
const aheadMs = 6000
const warmUpMs = 12_000

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export async function measureRounds(bench: BenchDatabase): Promise<Figure[]> {
  const monitored = await planRounds(bench.database, Date.now() + aheadMs)
  const profile = process.env['SIZES_PROFILE']
  const child = fork(fileURLToPath(new URL('./rounds-process.ts', import.meta.url)), [bench.url], {
    execArgv: [...process.execArgv, ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`])],
  })
  const [startMs] = (await once(child, 'message')) as [number]
  const ask = async (): Promise<RoundsSoFar> => {
    child.send('so far')
    const [told] = await once(child, 'message')
    return told
  }
  await pause(warmUpMs)
  const missedBefore = (await ask()).missed
  const serverBefore = (await bench.serverCpu()) ?? 0
  await pause(seconds * 1000)
  const told = await ask()
  const server = ((await bench.serverCpu()) ?? 0) - serverBefore
  const gone = once(child, 'exit')
  child.send('stop')
  await gone
  const late = told.lateMs.toSorted((one, other) => one - other)
  const wanted = (monitored * seconds) / intervalSeconds
  return [
    { name: 'monitoring starts, ms', value: startMs, grows: 'not' },
    { name: 'rounds a second', value: told.recorded / seconds, grows: 'linear' },
    { name: 'rounds of those due, %', value: (told.recorded / wanted) * 100, grows: 'not' },
    { name: 'rounds missed', value: told.missed + missedBefore, grows: 'not' },
    { name: 'rounds a transaction', value: told.recorded / told.transactions, grows: null },
    { name: 'a round, Node, CPU-ms', value: told.cpuMs / told.recorded, grows: 'not' },
    { name: 'a round, PostgreSQL, CPU-ms', value: server / told.recorded, grows: 'not' },
    { name: 'late by p50, ms', value: percentile(late, 0.5), grows: 'not' },
    { name: 'late by p99, ms', value: percentile(late, 0.99), grows: 'not' },
    { name: 'memory of monitoring, MB', value: told.megabytes, grows: 'not' },
  ]
}
