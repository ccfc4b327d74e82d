import { expect } from 'vitest'
import { commitSeed } from '../support/commit-seed.ts'
import { described } from './compare.ts'
import { diceOf } from './dice.ts'
import { shrunk } from './shrink.ts'
import { type Outcome, simulate } from './simulate.ts'

const day = 86_400_000

/** Repeats a run: SIMULATION_SEED (`random` throws dice), SIMULATION_DAYS, SIMULATION_SERVICES. */
function seedWanted(): number {
  const { SIMULATION_SEED: wanted = commitSeed() } = process.env
  return wanted === 'random' ? Math.floor(Math.random() * 1_000_000) : Number(wanted)
}

interface Size {
  readonly days: number
  readonly services: number
}

function sizeWanted(): Size {
  const { SIMULATION_DAYS = 14, SIMULATION_SERVICES = 60 } = process.env
  return { days: Number(SIMULATION_DAYS), services: Number(SIMULATION_SERVICES) }
}

/** Patience of a test: the aim is three minutes on two cores, which others may share. Milliseconds. */
export const patience = 1_800_000

/** Lets so many days pass around a night in which clocks change; the seed says how many of them before it. */
export async function expectAgreementAround(night: number): Promise<void> {
  const { days, services } = sizeWanted()
  const seed = seedWanted()
  const before = diceOf(seed).whole(Math.min(2, days - 1), Math.max(1, days - 3))
  const options = { seed, from: night - before * day, days, services }
  const outcome = await simulate(options)
  process.stdout.write(
    `simulation, seed ${seed}, ${days} days, ${services} services: ${JSON.stringify(outcome.figures)}\n`,
  )
  if (outcome.disagreements.length > 0)
    expect.fail(told({ seed, days, services }, outcome, await shrunk(options, outcome)))
  expect(outcome.figures.notices).toBeGreaterThan(0)
  expect(outcome.figures.viewParts).toBeGreaterThan(0)
  expect(outcome.figures.correctedDays).toBeGreaterThan(0)
}

function told(
  { seed, days, services }: Size & { readonly seed: number },
  { disagreements }: Outcome,
  shortest: Outcome,
): string {
  const [first] = shortest.disagreements
  return [
    `Program and model disagree on ${disagreements.length} of ${services} services.`,
    `SIMULATION_SEED=${seed} SIMULATION_DAYS=${days} SIMULATION_SERVICES=${services} repeats it; the shortest story found:`,
    first === undefined ? '' : described(shortest.script, first),
  ].join('\n')
}
