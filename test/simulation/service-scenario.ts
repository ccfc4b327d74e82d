import type { Dice } from './dice.ts'
import type { ServiceFields, ServiceScript, Stretch, Trouble } from './script.ts'
import { firstFields } from './settings-scenario.ts'
import { happeningsOf, type UserGround } from './user-scenario.ts'

export interface ServiceGround extends UserGround, Pick<ServiceScript, 'id' | 'grid' | 'owner'> {
  readonly from: number
  readonly busy: readonly Stretch[]
}

const minute = 60_000
const hour = 60 * minute

export function serviceScript(dice: Dice, ground: ServiceGround): ServiceScript {
  const { id, grid, owner, from } = ground
  const fields = firstFields(dice, ground)
  const createdAt = dice.chance(0.8) ? from + 1000 : (dice.some(ground.slots, 1)[0] ?? from + 1000)
  return {
    ...{ id, grid, owner, createdAt, fields },
    troubles: troublesOf(dice, ground, fields),
    happenings: happeningsOf(dice, ground, fields, createdAt),
    corrections: correctionsOf(dice, ground),
  }
}

function troublesOf(
  dice: Dice,
  { busy, grid, sensorIds }: ServiceGround,
  { interval, extended_settings }: ServiceFields,
) {
  const troubles: Trouble[] = []
  const isPatient = extended_settings.disable_breakdown_checks === true
  const step = interval * 1000
  // Most troubles begin shortly before the service is looked at; one that nobody sees changes nothing.
  const seen = busy.filter(({ from, to }) => nextOnGrid(grid, step, from) < to)
  for (const { from, to } of [...dice.some(seen, Math.ceil(busy.length / 3)), ...dice.some(busy, busy.length / 15)]) {
    const isFlapping = dice.chance(0.3)
    let at = Math.min(nextOnGrid(grid, step, from), to) - dice.whole(-2 * minute, 5 * minute)
    do {
      const isWhole = dice.chance(0.7)
      const length = troubleLength(dice, isFlapping, isPatient)
      troubles.push({
        from: at,
        to: at + length,
        result: isWhole || dice.chance(0.7) ? 'error' : 'unknown',
        sensorIds: isWhole ? [] : dice.some(sensorIds, dice.whole(1, 4)),
      })
      at += length + dice.whole(10, 400) * 1000
    } while (isFlapping && at < to)
  }
  return troubles
}

function nextOnGrid(grid: number, step: number, at: number): number {
  return at + step - ((at - grid) % step)
}

function troubleLength(dice: Dice, isFlapping: boolean, isPatient: boolean): number {
  if (isFlapping) return dice.whole(10, 300) * 1000
  // While a failure is looked at every minute, so is the clock.
  if (dice.chance(isPatient ? 0.2 : 0.01)) return dice.whole(1, isPatient ? 30 : 2) * hour
  return dice.whole(1, 45) * minute
}

/** Some over each other, some over the edges of the story. */
function correctionsOf(dice: Dice, { from, to }: ServiceGround): ServiceScript['corrections'] {
  return Array.from({ length: dice.whole(0, 4) }, () => {
    const start = Math.floor(dice.whole(from - hour, to - hour) / 1000) * 1000
    return {
      from: start,
      to: start + dice.whole(1, dice.pick([60, 4000, 900_000])) * 1000,
      status: dice.pick(['ok', 'failure', 'paused']),
    }
  })
}
