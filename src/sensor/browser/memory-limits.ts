/** The memory of one browser process. */
export interface ProcessMemory {
  readonly id: number
  /** `renderer` runs pages; `browser` leads all others. */
  readonly type: string
  readonly bytes: number
  /** With only its share of shared memory; read if the sum of the full sizes is too large. */
  readonly proportionalBytes: () => number
}

export interface MemoryLimits {
  readonly renderer: number
  /** The limit of any other process. */
  readonly other: number
  readonly sum: number
}

/** The processes to end (some pages, or the browser with all its pages), and the reason, for the log. */
export interface Excess {
  readonly pages: readonly number[]
  readonly isWhole: boolean
  readonly reason: string
}

const megabyte = 1024 ** 2

/** A browser's own process grows with data that pages keep in it, such as Blobs. Then there is no page to end. */
export const usualMemoryLimits: MemoryLimits = {
  renderer: 1024 * megabyte,
  other: 1024 * megabyte,
  sum: 2560 * megabyte,
}

/**
 * Pages above their limit are ended alone. Any other process above its limit, or all together above theirs, end the
 * whole browser.
 */
export function excessOf(processes: readonly ProcessMemory[], limits: MemoryLimits): Excess | null {
  const heavy = processes.find(({ type, bytes }) => type !== 'renderer' && bytes > limits.other)
  if (heavy !== undefined) {
    return { pages: [], isWhole: true, reason: `its ${heavy.type} process took ${inMegabytes(heavy.bytes)}` }
  }
  const pages = processes.filter(({ type, bytes }) => type === 'renderer' && bytes > limits.renderer)
  const left = sumOf(
    processes.filter((one) => !pages.includes(one)),
    limits.sum,
  )
  if (left > limits.sum) return { pages: [], isWhole: true, reason: `its processes took ${inMegabytes(left)} together` }
  const largest = Math.max(0, ...pages.map(({ bytes }) => bytes))
  if (pages.length === 0) return null
  return { pages: pages.map(({ id }) => id), isWhole: false, reason: `a page took ${inMegabytes(largest)}` }
}

/** A browser with its memory, and the number of owners whose pages are inside. */
export interface BrowserMemory {
  readonly bytes: number
  readonly owners: number
}

/** Several browsers together may take what one may. Otherwise the one with the most memory for each owner ends. */
export function heaviestBeyond<Browser extends BrowserMemory>(limit: number, browsers: readonly Browser[]) {
  const total = browsers.reduce((sum, { bytes }) => sum + bytes, 0)
  if (browsers.length < 2 || total <= limit) return null
  const shareOf = ({ bytes, owners }: Browser): number => bytes / Math.max(1, owners)
  const heaviest = browsers.reduce((most, one) => (shareOf(one) > shareOf(most) ? one : most))
  return { heaviest, reason: `it took ${inMegabytes(heaviest.bytes)} of ${inMegabytes(total)} of several browsers` }
}

/** Each page's size includes the program itself. The costlier reading is made only if the sum seems too large. */
function sumOf(processes: readonly ProcessMemory[], limit: number): number {
  const atMost = processes.reduce((total, { bytes }) => total + bytes, 0)
  return atMost <= limit ? atMost : processes.reduce((total, one) => total + one.proportionalBytes(), 0)
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / megabyte)} MB`
}
