/** The program's own metrics, as a scraper reads them. */

/** By name with labels, as they stand on the page. */
export type Metrics = ReadonlyMap<string, number>

export async function scrape(url: string): Promise<Metrics> {
  const text = await (await fetch(url)).text()
  return new Map(
    text.split('\n').flatMap((line): [string, number][] => {
      const [, name, value] = /^([a-z_][a-z0-9_]*(?:\{[^}]*\})?) (\S+)$/i.exec(line) ?? []
      return name === undefined ? [] : [[name, Number(value)]]
    }),
  )
}

/** The sum over all labels. */
export function totalOf(metrics: Metrics, name: string): number {
  let total = 0
  for (const [key, value] of metrics) if (key === name || key.startsWith(`${name}{`)) total += value
  return total
}

/** Counts up to each upper bound, of the observations whose labels contain the text. */
export function bucketsOf(metrics: Metrics, name: string, labels: string): Map<number, number> {
  const buckets = new Map<number, number>()
  for (const [key, value] of metrics) {
    const bound = /le="([^"]+)"/.exec(key)?.[1]
    if (bound === undefined || !key.startsWith(`${name}_bucket{`) || !key.includes(labels)) continue
    const upTo = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound)
    buckets.set(upTo, (buckets.get(upTo) ?? 0) + value)
  }
  return buckets
}

/** The bound below which that share of what was observed between two scrapes lies. */
export function boundOf(before: Map<number, number>, after: Map<number, number>, share: number): number {
  const bounds = [...after.keys()].toSorted((one, other) => one - other)
  const countOf = (bound: number) => (after.get(bound) ?? 0) - (before.get(bound) ?? 0)
  const all = countOf(Number.POSITIVE_INFINITY)
  return bounds.find((bound) => countOf(bound) >= all * share) ?? Number.NaN
}
