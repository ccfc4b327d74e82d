import { Session } from 'node:inspector/promises'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { CannotStart } from './cannot-start.ts'
import type { Log } from './log.ts'

const mebibyte = 1_048_576
/** The part that node adds to `--max-old-space-size` for young objects. */
const young = 48 * mebibyte
/** With half of this for old objects the program dies during its start. */
const least = 64 * mebibyte + young

/**
 * A program that runs out of heap dies in the middle of its work, again and again. So it refuses to start with too
 * little.
 */
export function ensureHeap(): void {
  const { heap_size_limit: limit } = getHeapStatistics()
  if (limit >= least) return
  throw new CannotStart(
    `The heap of node may take ${Math.floor(limit / mebibyte)} MiB only, but ${least / mebibyte} are needed; give the machine more memory, or NODE_OPTIONS --max-old-space-size=64 or more.`,
  )
}

/**
 * Shares of the old objects' space still used after a garbage collection. Above the first a warning is logged; below
 * the second all is well again.
 */
const scarce = 0.85
const plenty = 0.7

/** Decides, by the heap left after a full collection, whether to log a message, and which. */
export function heapAlarm(log: Pick<Log, 'warn' | 'info'>): (used: number, limit: number) => void {
  let isTold = false
  return (used, limit) => {
    const facts = { used_mib: Math.round(used / mebibyte), limit_mib: Math.round(limit / mebibyte) }
    if (!isTold && used > limit * scarce) {
      isTold = true
      log.warn(
        facts,
        'The heap is almost full: at its limit node ends this process (NODE_OPTIONS --max-old-space-size)',
      )
    } else if (isTold && used < limit * plenty) {
      isTold = false
      log.info(facts, 'The heap has room again')
    }
  }
}

/** Warns before the heap runs out, because afterwards only node's own message appears. Returns the function to stop. */
export function watchHeap(log: Log): () => Promise<void> {
  const look = heapAlarm(log)
  const observer = new PerformanceObserver((sweeps) => {
    if (!sweeps.getEntries().some(isWhole)) return
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    look(used, limit - young)
  })
  observer.observe({ entryTypes: ['gc'] })
  return async () => observer.disconnect()
}

function isWhole(sweep: object): boolean {
  const { kind } = 'detail' in sweep ? ((sweep.detail ?? {}) as { kind?: number }) : {}
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

/**
 * The whole heap, also texts and code that nobody uses now. V8 sweeps when new objects need the room: in a program
 * without services that may be hours later, and until then it holds up to 40 MB for nothing. It takes a fifth of a
 * second.
 */
export async function sweepAll(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage').finally(() => session.disconnect())
}
