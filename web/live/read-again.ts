/** How long changes are collected before their objects are read again. Milliseconds. */
const gatherMs = 300
/** The pause after a reading, in times of how long it took, since counting very many services costs the server much. */
const restFactor = 100
const longestRestMs = 30_000

/** The pause after something that took so long to read. Milliseconds. */
export function restAfter(tookMs: number): number {
  return Math.min(longestRestMs, tookMs * restFactor)
}

type Key = readonly unknown[]

interface Reading {
  isUnderWay: boolean
  /** Changed since the last reading began. */
  isStale: boolean
  /** By `performance.now()`. */
  freeAt: number
  timer: ReturnType<typeof setTimeout> | null
}

/**
 * Reads what has changed again: the first change soon, those that follow after a pause that grows with the cost of the
 * reading. However many changes come, each is shown in the end.
 */
export function gentleReader(read: (key: Key) => Promise<unknown>): (...keys: readonly Key[]) => void {
  const readings = new Map<string, Reading>()
  async function readNow(key: Key, reading: Reading): Promise<void> {
    Object.assign(reading, { timer: null, isStale: false, isUnderWay: true })
    const beganAt = performance.now()
    await read(key).catch(() => undefined)
    reading.isUnderWay = false
    reading.freeAt = performance.now() + restAfter(performance.now() - beganAt)
    if (reading.isStale) plan(key, reading)
  }
  function plan(key: Key, reading: Reading): void {
    reading.isStale = true
    if (reading.isUnderWay || reading.timer !== null) return
    const pause = Math.max(gatherMs, reading.freeAt - performance.now())
    reading.timer = setTimeout(() => void readNow(key, reading), pause)
  }
  return (...keys) => {
    for (const key of keys) {
      const name = JSON.stringify(key)
      const known = readings.get(name) ?? { isUnderWay: false, isStale: false, freeAt: 0, timer: null }
      readings.set(name, known)
      plan(key, known)
    }
  }
}
