export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

export interface Row {
  readonly kind: string
  /** CPU-milliseconds of a check. */
  readonly ours: number
  readonly ratio: number
  readonly beside: string
}

export function rowText({ kind, ours, ratio, beside }: Row): string {
  const perSecond = 1000 / ours
  const rate = perSecond < 100 ? perSecond.toFixed(1) : String(Math.round(perSecond))
  return `${kind.padEnd(16)} ${ours.toFixed(3)} CPU-ms a check, ${rate}/s per core; ${ratio.toFixed(2)}× ${beside}`
}
