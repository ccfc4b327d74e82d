import { roundMoments } from './round-moments.ts'

/** A range of `charts/performance`; response times in milliseconds, null where nothing was measured. */
export interface ResponsePoint {
  readonly start_time: string
  readonly end_time: string
  readonly average: number | null
  readonly minimum: number | null
  readonly maximum: number | null
  readonly checks: number
  readonly errors: number
}

/** Pixels. */
export interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly width: number
  readonly height: number
}

export interface Drawing {
  readonly x: (moment: number) => number
  readonly y: (milliseconds: number) => number
  /** Values of the horizontal lines. */
  readonly levels: readonly number[]
  /** Moments below the chart, Unix milliseconds. */
  readonly moments: readonly number[]
  readonly line: string
  /** Points without neighbours: paths of no length, which round ends make dots. */
  readonly dots: string
  readonly band: string
  readonly errors: string
}

/** 1, 2 or 5 times a power of ten: at most five lines. */
function stepFor(highest: number): number {
  const rough = Math.max(highest, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10
  return factor * power
}

interface Placed {
  readonly at: number
  readonly point: ResponsePoint
}

/** A distance of this many usual ones between two points is a gap: nothing is known there, so nothing is drawn. */
const gapOfDistances = 3

/** The median distance between neighbours, in milliseconds. */
function usualDistance(placed: readonly Placed[]): number {
  const distances = placed.slice(1).map(({ at }, index) => at - (placed[index]?.at ?? at))
  return distances.toSorted((one, other) => one - other)[Math.floor(distances.length / 2)] ?? 0
}

/** Stretches that follow each other without a gap. */
function runsOf(placed: readonly Placed[]): readonly (readonly Placed[])[] {
  const runs: Placed[][] = []
  const widest = gapOfDistances * usualDistance(placed)
  let run: Placed[] = []
  for (const one of placed) {
    const before = run.at(-1)
    if (one.point.average === null || (before !== undefined && one.at - before.at > widest)) run = []
    if (one.point.average === null) continue
    if (run.length === 0) runs.push(run)
    run.push(one)
  }
  return runs
}

/** @param zone whose clocks show round times at the moments below the chart */
export function draw(points: readonly ResponsePoint[], frame: Frame, zone: string): Drawing {
  const placed = points.map((point) => ({
    at: (Date.parse(point.start_time) + Date.parse(point.end_time)) / 2,
    point,
  }))
  const first = Date.parse(points[0]?.start_time ?? '1970-01-01')
  const last = Date.parse(points.at(-1)?.end_time ?? '1970-01-02')
  const highest = Math.max(1, ...points.map(({ maximum }) => maximum ?? 0))
  const step = stepFor(highest)
  const top = Math.ceil(highest / step) * step
  const inner = { width: frame.width - frame.left - frame.right, height: frame.height - frame.top - frame.bottom }
  const x = (moment: number) => frame.left + ((moment - first) / (last - first || 1)) * inner.width
  const y = (milliseconds: number) => frame.top + (1 - milliseconds / top) * inner.height
  const runs = runsOf(placed)
  const pair = (at: number, value: number | null) => `${x(at).toFixed(1)} ${y(value ?? 0).toFixed(1)}`
  const along = (run: readonly Placed[], value: (point: ResponsePoint) => number | null) =>
    run.map(({ at, point }) => pair(at, value(point))).join('L')
  const ground = frame.height - frame.bottom
  return {
    x,
    y,
    levels: Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step),
    moments: roundMoments(first, last, inner.width > 500 ? 7 : 4, zone),
    line: runs.map((run) => `M${along(run, ({ average }) => average)}`).join(''),
    dots: runs
      .filter(({ length }) => length === 1)
      .map((run) => `M${along(run, ({ average }) => average)}h0`)
      .join(''),
    band: runs
      .map((run) => `M${along(run, ({ maximum }) => maximum)}L${along(run.toReversed(), ({ minimum }) => minimum)}z`)
      .join(''),
    errors: placed
      .filter(({ point }) => point.errors > 0)
      .map(({ at }) => `M${x(at).toFixed(1)} ${ground}v-10`)
      .join(''),
  }
}

/** The stretch that lies below a place of the chart. */
export function nearest(points: readonly ResponsePoint[], { x }: Drawing, place: number): number {
  const found = points.findIndex(({ end_time }) => x(Date.parse(end_time)) >= place)
  return found === -1 ? points.length - 1 : found
}
