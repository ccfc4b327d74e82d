/** Rounds by the moment of their start, the earliest first. */
export interface RoundHeap<Round> {
  readonly size: number
  push(startsAt: number, round: Round): void
  /** Start of the earliest round; infinity when there is none. */
  nextStart(): number
  /** The earliest round, which stays. */
  next(): Round | undefined
  /** Takes out the earliest round. */
  pop(): Round | undefined
  /** Takes out everything. */
  clear(): Round[]
}

interface Entry<Round> {
  readonly startsAt: number
  readonly round: Round
}

export function roundHeap<Round>(): RoundHeap<Round> {
  const entries: Entry<Round>[] = []
  return {
    get size() {
      return entries.length
    },
    push(startsAt, round) {
      entries.push({ startsAt, round })
      siftUp(entries, entries.length - 1)
    },
    nextStart: () => entries[0]?.startsAt ?? Number.POSITIVE_INFINITY,
    next: () => entries[0]?.round,
    pop() {
      const first = entries[0]
      const last = entries.pop()
      if (last !== undefined && entries.length > 0) {
        entries[0] = last
        siftDown(entries)
      }
      return first?.round
    },
    clear: () => entries.splice(0).map(({ round }) => round),
  }
}

function swap<Round>(entries: Entry<Round>[], one: number, other: number): void {
  const [first, second] = [entries[one], entries[other]]
  if (first === undefined || second === undefined) return
  entries[one] = second
  entries[other] = first
}

function startOf<Round>(entries: readonly Entry<Round>[], index: number): number {
  return entries[index]?.startsAt ?? Number.POSITIVE_INFINITY
}

function siftUp<Round>(entries: Entry<Round>[], from: number): void {
  let index = from
  while (index > 0) {
    const parent = (index - 1) >>> 1
    if (startOf(entries, parent) <= startOf(entries, index)) return
    swap(entries, parent, index)
    index = parent
  }
}

function siftDown<Round>(entries: Entry<Round>[]): void {
  let index = 0
  while (index * 2 + 1 < entries.length) {
    const left = index * 2 + 1
    const child = startOf(entries, left + 1) < startOf(entries, left) ? left + 1 : left
    if (startOf(entries, index) <= startOf(entries, child)) return
    swap(entries, index, child)
    index = child
  }
}
