/** The promise's value, or null after `ms` milliseconds, because a page may keep any question waiting for ever. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  // Its result after the time limit is ignored.
  promise.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Like `within`, but time in which the other side got no CPU is added once more. `starvedMs` returns that time so far.
 */
export async function withinOwnTime<T>(ms: number, promise: Promise<T>, starvedMs: () => number): Promise<T | null> {
  const askedAt = performance.now()
  for (let leftMs = ms; leftMs > 0; leftMs = ms - (performance.now() - askedAt - starvedMs())) {
    const value = await within(Math.max(leftMs, shortestMs), promise)
    if (value !== null) return value
  }
  return null
}

/** If the machine gives no CPU, it is not asked about it all the time. */
const shortestMs = 50
