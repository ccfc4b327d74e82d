import type { Dice } from './dice.ts'
import type {
  Act,
  GroupScript,
  Happening,
  ServiceFields,
  ServiceScript,
  ServiceSettings,
  Stretch,
  Trouble,
} from './script.ts'

export interface ServiceGround extends Pick<ServiceScript, 'id' | 'grid' | 'owner'> {
  readonly from: number
  readonly to: number
  readonly busy: readonly Stretch[]
  /** When its user may do something. */
  readonly slots: readonly number[]
  readonly groups: readonly GroupScript[]
  readonly sensorIds: readonly number[]
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const failureModes = [
  'default',
  'default',
  'default',
  'after_30_seconds_failure',
  'after_1_minute_failure',
  'after_5_minutes_failure',
  'after_10_minutes_failure',
  'after_15_minutes_failure',
  'after_30_minutes_failure',
  'off',
] as const

const recoveryModes = [
  'default',
  'default',
  'default',
  'after_30_seconds',
  'after_1_minute',
  'after_5_minutes',
  'after_10_minutes',
  'after_15_minutes',
  'after_30_minutes',
  'off',
] as const

const conditions = ['failure', 'failure_continuation', 'pause', 'recovery', 'silent_failure'] as const

/** Of a quiet life: while a failure lasts the interval is a minute, and now and then a user makes it one. */
const intervals = [1800, 3600, 3600, 3600, 7200, 7200, 7200, 21_600, 21_600] as const

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

function firstFields(dice: Dice, { groups, sensorIds }: ServiceGround): ServiceFields {
  const [group] = dice.some(groups, 1)
  return {
    interval: dice.pick(intervals),
    is_active: dice.chance(0.95),
    group_id: group?.id ?? 0,
    notification_mode_id: dice.pick(failureModes),
    recovery_notification_mode_id: dice.pick(recoveryModes),
    notification_condition_ids: conditionsOf(dice),
    suspension_hours: dice.chance(0.1) ? hoursOf(dice, 168, 0.05) : '0'.repeat(168),
    silent_hours: dice.chance(0.3) ? hoursOf(dice, 24, 0.4) : '0'.repeat(24),
    sensor_ids: dice.chance(0.2) ? dice.some(sensorIds, dice.whole(1, 4)) : [],
    extended_settings: settingsOf(dice),
  }
}

function conditionsOf(dice: Dice): readonly string[] {
  return dice.chance(0.7) ? conditions : dice.some(conditions, dice.whole(0, 4))
}

function settingsOf(dice: Dice): ServiceSettings {
  return {
    error_tolerance: dice.pick([51, 51, 51, 1, 33, 34, 50, 67, 100]),
    sensors_failover: dice.chance(0.8),
    disable_breakdown_checks: dice.chance(0.25),
  }
}

/** Three hours each: what many services have in common settles together. */
function hoursOf(dice: Dice, length: number, share: number): string {
  return Array.from({ length: length / 3 }, () => (dice.chance(share) ? '111' : '000')).join('')
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

/** What a user does with a service, each thing only when it can be done. */
function happeningsOf(dice: Dice, ground: ServiceGround, fields: ServiceFields, createdAt: number): Happening[] {
  const slots = ground.slots.filter((at) => at > createdAt + minute)
  const chosen = dice.some(slots, Math.ceil((ground.to - createdAt) / day / 4))
  const user = { isActive: fields.is_active, isArchived: false, plans: [] as string[] }
  return chosen.map((at, index): Happening => {
    const act = user.isArchived
      ? ({ kind: 'restore' } as const)
      : actAt(dice, ground, { at, key: `p${index}`, ...user })
    if (act.kind === 'archive') Object.assign(user, { isArchived: true, isActive: false })
    if (act.kind === 'restore') user.isArchived = false
    if (act.kind === 'plan' || act.kind === 'plan_weekly') user.plans.push(act.key)
    if (act.kind === 'drop') user.plans.splice(user.plans.indexOf(act.key), 1)
    if (act.kind === 'set') user.isActive = act.values.is_active ?? user.isActive
    return { at, ...act }
  })
}

interface Occasion {
  readonly at: number
  readonly key: string
  readonly isActive: boolean
  readonly plans: readonly string[]
}

function actAt(dice: Dice, ground: ServiceGround, { at, key, isActive, plans }: Occasion): Act {
  if (!isActive && dice.chance(0.6)) return { kind: 'set', values: { is_active: true } }
  const roll = dice.whole(1, 100)
  if (roll <= 15) return { kind: 'set', values: { is_active: !isActive } }
  if (roll <= 25) return { kind: 'force' }
  if (roll <= 28) return { kind: 'archive' }
  if (roll <= 50) return planOnce(dice, at, key)
  if (roll <= 60) return planWeekly(dice, key)
  const [dropped] = dice.some(plans, 1)
  if (roll <= 72 && dropped !== undefined) return { kind: 'drop', key: dropped }
  return { kind: 'set', values: changeOf(dice, ground) }
}

function planOnce(dice: Dice, at: number, key: string): Act {
  const second = dice.chance(0.5) ? 0 : dice.whole(10, 55)
  const base = Math.floor(at / minute) * minute + second * 1000
  const from = base + dice.pick([-120, -20, 1, 2, 3, 5, 10, 20, 30, 600, 3000]) * minute
  const length = dice.pick([1, 3, 7, 15, 25, 60, 300, 1500]) * minute + dice.whole(0, 1) * 1000
  return { kind: 'plan', key, once: { from, to: Math.max(from, at) + length }, quiet: dice.chance(0.5) }
}

function planWeekly(dice: Dice, key: string): Act {
  const week = 7 * 24 * 60
  const start = dice.chance(0.7) ? dice.whole(0, 4 * 24 * 7 - 1) * 15 : dice.whole(0, week - 1)
  const length = dice.pick([1, 30, 90, 360, 1200, 4000])
  return { kind: 'plan_weekly', key, start, end: (start + length) % week, quiet: dice.chance(0.5) }
}

function changeOf(dice: Dice, ground: ServiceGround): Partial<ServiceFields> {
  const [group] = dice.some(ground.groups, 1)
  return dice.pick<Partial<ServiceFields>>([
    { notification_mode_id: dice.pick(failureModes) },
    { notification_mode_id: dice.pick(failureModes), recovery_notification_mode_id: dice.pick(recoveryModes) },
    { recovery_notification_mode_id: dice.pick(recoveryModes) },
    { notification_condition_ids: conditionsOf(dice) },
    { interval: dice.pick(intervals) },
    { extended_settings: settingsOf(dice) },
    { sensor_ids: dice.chance(0.5) ? [] : dice.some(ground.sensorIds, dice.whole(1, 4)) },
    { group_id: group?.id ?? 0 },
    { silent_hours: dice.chance(0.5) ? '0'.repeat(24) : hoursOf(dice, 24, 0.4) },
    { suspension_hours: dice.chance(0.7) ? '0'.repeat(168) : hoursOf(dice, 168, 0.05) },
  ])
}
