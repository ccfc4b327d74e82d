/** Random numbers that are the same in every run, and for a moment the same whoever asks first. */

/** Mixes several whole numbers into one; each of them changes all of it. */
function mixed(parts: readonly number[]): number {
  let state = 0x9e3779b9
  for (const part of parts) {
    for (const word of [part | 0, Math.floor(part / 2 ** 32) | 0]) {
      state = Math.imul(state ^ word, 0x85ebca6b)
      state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
      state ^= state >>> 16
    }
  }
  return state
}

/** Numbers from 0 to 1 that follow from these parts alone (mulberry32). */
export function diceOf(...parts: readonly number[]): () => number {
  let state = mixed(parts)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Log-normal around the median: never below zero, occasionally far above. */
export function around(median: number, spread: number, dice: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice())
  return median * Math.exp(spread * normal)
}
