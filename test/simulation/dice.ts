/** Chance that a seed repeats. */
export interface Dice {
  /** A whole number, `from` and `to` included. */
  whole(from: number, to: number): number
  /** True so often out of one. */
  chance(share: number): boolean
  pick<Value>(values: readonly [Value, ...Value[]]): Value
  /** Picks this many different values, in the given order. */
  some<Value>(values: readonly Value[], count: number): Value[]
}

/** mulberry32: one seed, one story. */
export function diceOf(seed: number): Dice {
  let state = seed | 0
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    whole,
    chance: (share) => next() < share,
    pick: (values) => values[whole(0, values.length - 1)] ?? values[0],
    some(values, count) {
      const chosen = new Set<number>()
      while (chosen.size < Math.min(count, values.length)) chosen.add(whole(0, values.length - 1))
      return values.filter((_value, index) => chosen.has(index))
    },
  }
}
