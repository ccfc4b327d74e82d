/** The promise's value, or null after so many milliseconds: a page may keep anything that is asked of it waiting for ever. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  // Whatever it does after the time is up concerns nobody.
  promise.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** As `within`, but time in which whoever has to answer got no CPU is given once more: `starvedMs` tells how much there was so far. */
export async function withinOwnTime<T>(ms: number, promise: Promise<T>, starvedMs: () => number): Promise<T | null> {
  const askedAt = performance.now()
  for (let leftMs = ms; leftMs > 0; leftMs = ms - (performance.now() - askedAt - starvedMs())) {
    const value = await within(Math.max(leftMs, shortestMs), promise)
    if (value !== null) return value
  }
  return null
}

/** A machine that gives nothing is not asked about it all the time. */
const shortestMs = 50
