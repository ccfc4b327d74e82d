/** Requests to the API, as consoles and scripts send them all day. */
import { setTimeout as pause } from 'node:timers/promises'
import { chanceOf } from '../../test/crash/chance.ts'
import type { ServedProgram } from './served-program.ts'

export interface Call {
  readonly name: string
  readonly milliseconds: number
  readonly status: number
  /** Unix milliseconds. */
  readonly at: number
}

export interface Callers {
  readonly calls: readonly Call[]
  stop(): Promise<void>
}

/** Paths of one request each; `id` is a service, `offset` some place among all. */
const requests: Readonly<Record<string, (id: number, offset: number) => string>> = {
  'services with status': (_id, offset) => `/services?limit=50&offset=${offset}&embed=status,permissions&sort=name`,
  'what fails now': () => '/services?status.summary=failure&embed=status&limit=100',
  'a search by name': (id) => `/services?query=${id}&embed=status`,
  'a service': (id) => `/services/${id}?embed=status,group,type`,
  'last analysis': (id) => `/services/${id}/history/analyses/last_analysis/checks?embed=sensor,error_type`,
  'checks of an hour': (id) => `/services/${id}/history/checks?from=-3600&limit=200&embed=sensor,error_type`,
  'status changes': (id) => `/services/${id}/history/status_changes?limit=20`,
  'service level of a day': (id) => `/services/${id}/history/service_level?from=-86400`,
  'performance of a day': (id) => `/services/${id}/charts/performance`,
  'availability by day': (id) => `/services/${id}/charts/availability`,
  'log of notices': () => '/accounts/my_account/logs/notifications?limit=50&sort=-time',
  groups: () => '/groups?limit=100&embed=permissions&sort=name',
}

export const requestNames = Object.keys(requests)

async function call(program: ServedProgram, name: string, path: string): Promise<Call> {
  const [at, began] = [Date.now(), performance.now()]
  const patience = AbortSignal.timeout(60_000)
  const status = await fetch(`${program.api}${path}`, {
    headers: { authorization: program.authorization },
    signal: patience,
  })
    .then(async (response) => {
      await response.arrayBuffer()
      return response.status
    })
    .catch(() => 0)
  return { name, milliseconds: performance.now() - began, status, at }
}

/** Sends requests at a constant rate, one kind after the other, whether the last was answered or not. */
export function startCallers(program: ServedProgram, ids: readonly number[], perSecond: number): Callers {
  const calls: Call[] = []
  const underWay = new Set<Promise<void>>()
  const over = new AbortController()
  const chance = chanceOf(1)
  async function work(): Promise<void> {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const [name, pathOf] = Object.entries(requests)[turn % requestNames.length] ?? []
      const id = ids[chance.between(0, ids.length - 1)] ?? 0
      if (name === undefined || pathOf === undefined) return
      const path = pathOf(id, chance.between(0, Math.max(0, ids.length - 50)))
      const done = call(program, name, path)
        .then((one) => void calls.push(one))
        .finally(() => underWay.delete(done))
      underWay.add(done)
      await pause(1000 / perSecond, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  const working = work()
  return {
    calls,
    async stop() {
      over.abort()
      await working
      await Promise.all(underWay)
    },
  }
}
