import { commitSeed } from '../support/commit-seed.ts'

/** Chance that can be repeated: the same seed makes the same choices (not the same timing: that is the machine's). */
export interface Chance {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from `from` up to and including `to`. */
  between(from: number, to: number): number
  oneOf<Item>(items: readonly [Item, ...Item[]]): Item
  happens(probability: number): boolean
  /** Another chance that depends on this one's seed alone, so that concurrent users do not disturb each other. */
  branch(number: number): Chance
}

/** Mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  function between(from: number, to: number): number {
    return from + Math.floor(next() * (to - from + 1))
  }
  return {
    next,
    between,
    oneOf: (items) => items[between(0, items.length - 1)] ?? items[0],
    happens: (probability) => next() < probability,
    branch: (number) => chanceOf(Math.imul(seed + number, 0x9e3779b1)),
  }
}

/**
 * Reads CRASH_SEED and CRASH_KILLS (ten for a commit, fifty in the long form); this story gets its `share` of the
 * kills.
 */
export function storyFromEnvironment(share: number): { readonly seed: number; readonly kills: number } {
  const seed = Number(process.env['CRASH_SEED'] ?? commitSeed())
  return { seed, kills: Math.ceil(Number(process.env['CRASH_KILLS'] ?? 10) * share) }
}
