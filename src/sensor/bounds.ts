import { artifactLimits } from '../domain/judging/evidence.ts'

/** Limits of texts on the wire, in UTF-16 units. */
export const longest = {
  id: 64,
  name: 200,
  line: 1000,
  message: 4000,
  text: 8192,
  headers: 65_536,
  /** Limit of stored headers; Node.js itself accepts no more. */
  keptHeaders: 16_384,
  artifact: Math.ceil(Math.max(...Object.values(artifactLimits)) / 3) * 4 + 4,
} as const

export const most = { lines: 201, facts: 100, steps: 500, artifacts: 8, categories: 20, types: 100 } as const

/** Limits of stored integers: milliseconds of a response, bytes, and microseconds of a phase. */
export const largest = {
  responseMs: 86_400_000,
  integer: 2_147_483_647,
  phaseMs: 2_000_000,
  /** The last moment that a Date can represent. */
  moment: 8.64e15,
} as const
