import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ServerKind, Usage } from './serve.ts'

export interface Served {
  readonly kind: ServerKind
  /** With `/v3`. */
  readonly baseUrl: string
  usage(): Promise<Usage>
  /** Milliseconds of CPU since its start. */
  cpuMs(): Promise<number>
  stop(): Promise<void>
}

/** Starts one side in a process of its own. With BENCH_PROFILE, a folder, it leaves a CPU profile there. */
export async function serve(kind: ServerKind, databaseUrl: string, serviceId: number): Promise<Served> {
  const folder = process.env['BENCH_PROFILE']
  const profile =
    folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${kind}.cpuprofile`]
  const child = fork(fileURLToPath(new URL('./serve.ts', import.meta.url)), [kind, databaseUrl, String(serviceId)], {
    execArgv: [...process.execArgv, '--expose-gc', ...profile],
  })
  const [listening] = await Promise.race([once(child, 'message'), failure(once(child, 'exit'), kind)])
  return {
    kind,
    baseUrl: `${listening}/v3`,
    async usage() {
      child.send('usage')
      const [usage] = await once(child, 'message')
      return usage
    },
    async cpuMs() {
      child.send('cpu')
      const [milliseconds] = await once(child, 'message')
      return milliseconds
    },
    async stop() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

async function failure(gone: Promise<unknown>, kind: ServerKind): Promise<never> {
  await gone
  throw new Error(`The server ${kind} did not start.`)
}
