/** How many services failed lately by the API, which the console's number must follow. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ServedProgram } from './served-program.ts'

export interface FailingCounts {
  /** The least and the most of the last milliseconds; null if some had no answer, or it is too early. */
  within(milliseconds: number): { readonly least: number; readonly most: number } | null
  stop(): Promise<void>
}

const everyMs = 2000
const patienceMs = 30_000

interface Look {
  readonly at: number
  /** Null without an answer. */
  readonly count: number | null
}

async function failingNow({ api, authorization }: ServedProgram): Promise<number | null> {
  try {
    const response = await fetch(`${api}/services/state_counts`, {
      ...{ headers: { authorization }, signal: AbortSignal.timeout(patienceMs) },
    })
    return response.ok ? ((await response.json()) as { readonly failure: number }).failure : null
  } catch {
    return null
  }
}

export function watchFailing(program: ServedProgram): FailingCounts {
  const looks: Look[] = []
  const over = new AbortController()
  async function work(): Promise<void> {
    while (!over.signal.aborted) {
      looks.push({ at: Date.now(), count: await failingNow(program) })
      await pause(everyMs, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  const working = work()
  return {
    within(milliseconds) {
      const from = Date.now() - milliseconds
      if (!looks.some(({ at }) => at < from)) return null
      const counts = looks.filter(({ at }) => at >= from).map(({ count }) => count)
      const known = counts.filter((count) => count !== null)
      if (known.length === 0 || known.length < counts.length) return null
      return { least: Math.min(...known), most: Math.max(...known) }
    },
    async stop() {
      over.abort()
      await working
    },
  }
}
