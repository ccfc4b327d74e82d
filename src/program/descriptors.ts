import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Log } from './log.ts'

const everyMs = 5000

export interface DescriptorWatch {
  /** True if the last try could open nothing. */
  areOut(): boolean
  stop(): void
}

/** Watches for a lack of descriptors. Without its log line nothing would explain why callers get no answer. */
export function watchDescriptors(log: Pick<Log, 'info' | 'error'>): DescriptorWatch {
  let areOut = false
  const timer = setInterval(() => {
    const wereOut = areOut
    areOut = !canOpen()
    if (areOut && !wereOut)
      log.error('No file descriptor is left (ulimit -n): this process can neither accept nor open connections.')
    if (!areOut && wereOut) log.info('There are file descriptors again.')
  }, everyMs)
  timer.unref()
  return { areOut: () => areOut, stop: () => clearInterval(timer) }
}

function canOpen(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  }
}
