/** The target farm: what the services of the bench check, in processes of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createAuthority } from '../../test/support/certificates.ts'
import type { FarmCourse, FarmOrder } from './farm-process.ts'
import type { Ports } from './population.ts'

export interface Farm {
  readonly ports: Ports
  /** PEM of the authority that issued the farm's certificates. */
  readonly authority: string
  readonly processIds: readonly number[]
  follow(course: FarmCourse): void
  stop(): void
}

const noPorts: Ports = { http: [], https: [], tcp: 0, dns: 0, smtp: 0, gates: {} }

async function portsOf(child: ChildProcess, order: FarmOrder): Promise<Partial<Ports>> {
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('the target farm ended')))
  child.send(order)
  const [ports] = await Promise.race([once(child, 'message'), gone])
  gone.catch(() => undefined)
  return ports as Partial<Ports>
}

export async function startFarm(services: number): Promise<Farm> {
  const authority = createAuthority('Farm')
  const certificate = authority.issue({ names: ['127.0.0.1'] })
  const path = fileURLToPath(new URL('./farm-process.ts', import.meta.url))
  const children = (['plain', 'tls'] as const).map((part) => ({ part, child: fork(path) }))
  const ports = await Promise.all(children.map(({ part, child }) => portsOf(child, { part, services, certificate })))
  return {
    ports: Object.assign({}, noPorts, ...ports),
    authority: authority.certificate,
    processIds: children.flatMap(({ child }) => child.pid ?? []),
    follow: (course) => {
      for (const { child } of children) child.send(course)
    },
    stop: () => {
      for (const { child } of children) child.disconnect()
    },
  }
}
