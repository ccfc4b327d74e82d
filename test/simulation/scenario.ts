import type { Person } from '../support/people.ts'
import { busyHours, slotsOf } from './busy-hours.ts'
import { type Dice, diceOf } from './dice.ts'
import { gridNumber, idsThatMeet } from './grids.ts'
import type { GroupScript, OwnerScript, Script, SensorScript, ServiceScript, Stretch } from './script.ts'
import { type ServiceGround, serviceScript } from './service-scenario.ts'

/** The objects that exist before anything happens. */
export interface Ground {
  readonly owners: readonly Person[]
  readonly groups: readonly GroupScript[]
  readonly sensors: readonly Omit<SensorScript, 'losses'>[]
}

export interface ScenarioOptions {
  readonly seed: number
  readonly from: number
  readonly days: number
  readonly services: number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Whole, half and three-quarter hours from Greenwich, clocks that change by an hour and by half an hour. */
const zones = ['europe_warsaw', 'america_new_york', 'australia_lord_howe', 'asia_kathmandu'] as const

/** Writes a story. The same seed on the same ground tells the same one. */
export function writeScript(ground: Ground, { seed, from, days, services }: ScenarioOptions): Script {
  const dice = diceOf(seed)
  const to = from + days * day
  const busy = busyHours(dice, from, to)
  const downtimes = downtimesIn(dice, busy)
  const owners = ground.owners.map((name, index) => ownerScript(dice, { name, index, busy, downtimes, to }))
  const sensors = ground.sensors.map((sensor) => ({ ...sensor, losses: lossesIn(dice, busy) }))
  const ids = idsThatMeet(dice.whole(1, 50_000), services)
  return {
    ...{ from, to, sensors, owners, downtimes },
    groups: ground.groups,
    services: ids.map((id): ServiceScript => {
      const owner = dice.pick(['alice', 'alice', ...ground.owners] as const)
      const blocks = owners.find(({ name }) => name === owner)?.blocks ?? []
      const serviceGround: ServiceGround = {
        ...{ id, grid: gridNumber(id), owner, from, to, busy },
        groups: ground.groups.filter((group) => group.owner === owner),
        sensorIds: ground.sensors.filter(({ categoryIds }) => categoryIds.includes('default')).map(({ id }) => id),
        downtimes,
        slots: slotsOf(busy).filter((at) => !blocks.some((stop) => isNear(stop, at))),
      }
      return serviceScript(dice, serviceGround)
    }),
  }
}

function isNear({ from, to }: Stretch, at: number): boolean {
  return from - 10 * minute <= at && at < to + 3 * minute
}

interface OwnerGround {
  readonly name: Person
  readonly index: number
  readonly busy: readonly Stretch[]
  readonly downtimes: readonly Stretch[]
  readonly to: number
}

function ownerScript(dice: Dice, { name, index, busy, downtimes, to }: OwnerGround): OwnerScript {
  const zoneId = zones[index % zones.length] ?? 'europe_warsaw'
  const blocks = dice.some(busy.slice(0, -1), dice.whole(0, 2)).map(({ from }): Stretch => {
    const blockedAt = from + dice.whole(0, 50) * minute + 13_000
    return { from: blockedAt, to: blockedAt + dice.whole(5, dice.pick([30, 600, 1800])) * minute }
  })
  const [moved] = dice.chance(0.5) ? dice.some(busy, 1) : []
  const zoneChanges =
    moved === undefined || [...blocks, ...downtimes].some((stop) => isNear(stop, moved.from))
      ? []
      : [{ at: moved.from + 32_000, zoneId: dice.pick(zones) }]
  return {
    ...{ name, zoneId },
    // Blocked accounts could not be asked at the end.
    blocks: apart(blocks.filter((block) => block.to < to)),
    zoneChanges,
  }
}

function downtimesIn(dice: Dice, busy: readonly Stretch[]): Stretch[] {
  const found = dice.some(busy, Math.ceil(busy.length / 8)).map(({ from }): Stretch => {
    const stoppedAt = from + dice.whole(0, 55) * minute + 40_000
    const length = dice.chance(0.5) ? dice.whole(1, 5) * minute : dice.whole(5, 240) * minute
    return { from: stoppedAt, to: stoppedAt + length + 5000 }
  })
  return apart(found)
}

function lossesIn(dice: Dice, busy: readonly Stretch[]): Stretch[] {
  const found = dice.some(busy, Math.ceil(busy.length / 8)).map(({ from }): Stretch => {
    const lostAt = from + dice.whole(-5, 55) * minute + 50_000
    return { from: lostAt, to: lostAt + dice.whole(2, dice.pick([20, 120, 600])) * minute }
  })
  return apart(found)
}

/** The ranges that are not close to the one before. */
function apart(stretches: readonly Stretch[]): Stretch[] {
  const kept: Stretch[] = []
  for (const next of stretches.toSorted((one, other) => one.from - other.from)) {
    const last = kept.at(-1)
    if (last === undefined || next.from > last.to + 10 * minute) kept.push(next)
  }
  return kept
}
