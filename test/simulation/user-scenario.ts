import type { Dice } from './dice.ts'
import { type Act, type GroupScript, type Happening, isWithin, type ServiceFields, type Stretch } from './script.ts'
import { changeOf, intervals } from './settings-scenario.ts'

/** Users' actions on their services, each only when it is possible. */

export interface UserGround {
  readonly to: number
  /** When something may be done. */
  readonly slots: readonly number[]
  /** When monitoring does not run: the interface does, and people plan. */
  readonly downtimes: readonly Stretch[]
  readonly groups: readonly GroupScript[]
  readonly sensorIds: readonly number[]
}

const minute = 60_000
const day = 24 * 60 * minute

/** The facts on which the next act depends. */
interface Known {
  readonly isActive: boolean
  readonly isArchived: boolean
  /** One-off suspensions that can be moved, and all that can be dropped. */
  readonly once: readonly string[]
  readonly plans: readonly string[]
}

interface Occasion extends Known {
  readonly at: number
  readonly key: string
}

export function happeningsOf(dice: Dice, ground: UserGround, first: ServiceFields, createdAt: number): Happening[] {
  const slots = ground.slots.filter((at) => at > createdAt + minute)
  let known: Known = { isActive: first.is_active, isArchived: false, once: [], plans: [] }
  return dice.some(slots, Math.ceil((ground.to - createdAt) / day / 4)).flatMap((at, index): Happening[] => {
    const act = actAt(dice, ground, { ...known, at, key: `p${index}` })
    const next = followUp(dice, ground, act, at)
    known = [act, ...next].reduce(after, known)
    return [{ at, ...act }, ...next]
  })
}

/** The same user's action shortly before the next possible event. */
function followUp(dice: Dice, { downtimes }: UserGround, act: Act, now: number): Happening[] {
  const at = now + 5 * minute
  if (act.kind === 'set' && act.values.interval !== undefined && act.values.interval < intervals[0]) {
    return [{ at, kind: 'set', values: { interval: dice.pick(intervals) } }]
  }
  const isUnheard = act.kind === 'plan' && isWithin(downtimes, now)
  return isUnheard && dice.chance(0.7) ? [{ at, kind: 'drop', key: act.key }] : []
}

function after(known: Known, act: Act): Known {
  const without = (keys: readonly string[], key: string) => keys.filter((other) => other !== key)
  if (act.kind === 'archive') return { ...known, isArchived: true, isActive: false }
  if (act.kind === 'restore') return { ...known, isArchived: false }
  if (act.kind === 'plan') return { ...known, once: [...known.once, act.key], plans: [...known.plans, act.key] }
  if (act.kind === 'plan_weekly') return { ...known, plans: [...known.plans, act.key] }
  if (act.kind === 'drop') return { ...known, once: without(known.once, act.key), plans: without(known.plans, act.key) }
  if (act.kind === 'set') return { ...known, isActive: act.values.is_active ?? known.isActive }
  return known
}

function actAt(dice: Dice, ground: UserGround, occasion: Occasion): Act {
  const { at, key, isActive, isArchived } = occasion
  if (isArchived) return { kind: 'restore' }
  if (!isActive && dice.chance(0.6)) return switched(dice, ground, true)
  // Nobody asks for analyses or tries settings while nothing is analysed.
  const roll = isWithin(ground.downtimes, at) ? dice.whole(29, 80) : dice.whole(1, 100)
  if (roll <= 10) return { kind: 'force' }
  if (roll <= 13) return { kind: 'archive' }
  if (roll <= 30) return switched(dice, ground, !isActive)
  if (roll <= 50) return { kind: 'plan', key, once: onceAround(dice, at), quiet: dice.chance(0.5) }
  if (roll <= 58) return weekly(dice, key)
  if (roll <= 80) return replanned(dice, occasion)
  return { kind: 'set', values: changeOf(dice, ground) }
}

/** Sometimes with a setting that takes hold in the same request. */
function switched(dice: Dice, ground: UserGround, is_active: boolean): Act {
  const { suspension_hours: _stops, silent_hours: _quiet, interval: _interval, ...more } = changeOf(dice, ground)
  return { kind: 'set', values: dice.chance(0.3) ? { ...more, is_active } : { is_active } }
}

function replanned(dice: Dice, { at, key, once, plans }: Occasion): Act {
  const [moved] = dice.some(once, 1)
  if (moved !== undefined && dice.chance(0.3)) return { kind: 'move', key: moved, once: onceAround(dice, at) }
  const [dropped] = dice.some(plans, 1)
  if (dropped !== undefined) return { kind: 'drop', key: dropped }
  return { kind: 'plan', key, once: onceAround(dice, at), quiet: dice.chance(0.7) }
}

/** Long before, just before, and after now; to the minute or to the second. */
function onceAround(dice: Dice, at: number): Stretch {
  const second = dice.chance(0.5) ? 0 : dice.whole(10, 55)
  const base = Math.floor(at / minute) * minute + second * 1000
  const from = base + dice.pick([-120, -20, 1, 2, 3, 5, 10, 20, 30, 600, 3000]) * minute
  const length = dice.pick([1, 3, 7, 15, 25, 60, 300, 1500]) * minute + dice.whole(0, 1) * 1000
  return { from, to: Math.max(from, at) + length }
}

const week = 7 * 24 * 60
/** Sunday 02:00: when clocks change. */
const clockChange = 6 * 24 * 60 + 120

function weekly(dice: Dice, key: string): Act {
  const isNight = dice.chance(0.3)
  const anywhere = dice.chance(0.7) ? dice.whole(0, 4 * 24 * 7 - 1) * 15 : dice.whole(0, week - 1)
  const start = isNight ? clockChange + dice.pick([-90, -30, -1, 0, 10, 30, 59, 60]) : anywhere
  const length = isNight ? dice.pick([1, 20, 30, 60, 61, 90, 240]) : dice.pick([1, 30, 90, 360, 1200, 4000])
  return { kind: 'plan_weekly', key, start, end: (start + length) % week, quiet: dice.chance(0.5) }
}
