/** The mail server of the benches, seen from outside. */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Arrival } from './mail-sink.ts'

const patienceSeconds = 120

export interface Sink {
  readonly url: string
  readonly arrivals: Arrival[]
  received(count: number): Promise<void>
  close(): void
}

export async function startSink(): Promise<Sink> {
  const child: ChildProcess = fork(new URL('./mail-sink.ts', import.meta.url).pathname, {
    execArgv: ['--import', 'tsx'],
  })
  const arrivals: Arrival[] = []
  const port = await new Promise<number>((resolve) =>
    child.on('message', (message: { port?: number; arrivals?: Arrival[] }) => {
      if (message.port !== undefined) resolve(message.port)
      arrivals.push(...(message.arrivals ?? []))
    }),
  )
  return {
    url: `smtp://127.0.0.1:${port}`,
    arrivals,
    async received(count) {
      const deadline = performance.now() + patienceSeconds * 1000
      while (arrivals.length < count && performance.now() < deadline) await pause(20)
      if (arrivals.length < count) throw new Error(`only ${arrivals.length} of ${count} mails arrived`)
    },
    close: () => child.disconnect(),
  }
}
