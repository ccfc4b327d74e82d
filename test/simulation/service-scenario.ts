import type { Dice } from './dice.ts'
import type { ServiceScript, Stretch, Trouble } from './script.ts'
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
    troubles: troublesOf(dice, ground, fields.extended_settings.disable_breakdown_checks === true),
    happenings: happeningsOf(dice, ground, fields, createdAt),
    corrections: correctionsOf(dice, ground),
  }
}

function troublesOf(dice: Dice, { busy, sensorIds }: ServiceGround, isPatient: boolean): Trouble[] {
  const troubles: Trouble[] = []
  for (const { from, to } of dice.some(busy, Math.ceil(busy.length / 3))) {
    const isFlapping = dice.chance(0.3)
    let at = from + dice.whole(-5 * minute, 45 * minute)
    do {
      const isWhole = dice.chance(0.7)
      troubles.push({
        from: at,
        to: at + troubleLength(dice, isFlapping, isPatient),
        result: isWhole || dice.chance(0.7) ? 'error' : 'unknown',
        sensorIds: isWhole ? [] : dice.some(sensorIds, dice.whole(1, 4)),
      })
      at = (troubles.at(-1)?.to ?? to) + dice.whole(10, 400) * 1000
    } while (isFlapping && at < to)
  }
  return troubles
}

function troubleLength(dice: Dice, isFlapping: boolean, isPatient: boolean): number {
  if (isFlapping) return dice.whole(10, 300) * 1000
  if (dice.chance(isPatient ? 0.2 : 0.01)) return dice.whole(1, 30) * hour
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
