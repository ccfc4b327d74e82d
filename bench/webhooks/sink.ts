/** The destination of the benches of webhooks, seen from outside, and the notifier that sends to it. */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { startNotifier } from '../../src/notifications/start.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
import { type BenchDatabase, quietLog } from '../support/bench-database.ts'
import type { Arrival } from './hook-sink.ts'

const clock = { now: () => Date.now() }
// Each host is a name of its own, as for users; all of them are this machine.
export const dialler = createDialler({ allow: 'all', resolve: async () => ['127.0.0.1'] })

export interface Sink {
  readonly port: number
  readonly arrivals: Arrival[]
  close(): void
}

export async function startSink(): Promise<Sink> {
  const child: ChildProcess = fork(new URL('./hook-sink.ts', import.meta.url).pathname, {
    execArgv: ['--import', 'tsx'],
  })
  const arrivals: Arrival[] = []
  const port = await new Promise<number>((resolve) =>
    child.on('message', (told: { port?: number; arrivals?: Arrival[] }) => {
      if (told.port !== undefined) resolve(told.port)
      arrivals.push(...(told.arrivals ?? []))
    }),
  )
  return { port, arrivals, close: () => child.disconnect() }
}

export async function received({ arrivals }: Sink, count: number): Promise<void> {
  const deadline = performance.now() + 180_000
  while (arrivals.length < count && performance.now() < deadline) await pause(20)
  if (arrivals.length < count) throw new Error(`only ${arrivals.length} of ${count} messages arrived`)
}

export function notifier({ database }: BenchDatabase) {
  return startNotifier({
    ...{ database, clock, log: quietLog, publicUrl: 'http://127.0.0.1:8080' },
    mail: { smtpUrl: undefined, from: 'Latarnik <latarnik@example.com>', outboxDirectory: '' },
    // Short enough that the dead ones are given up before the bench ends.
    integrations: { dialler, vendorUrls: new Map(), timeouts: { connection: 5000, whole: 8000 } },
    diagnose: () => ({ name: 'Connection refused', diagnosis: 'Nobody listens on the port.' }),
  })
}
