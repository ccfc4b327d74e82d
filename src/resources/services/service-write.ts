import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { serviceTypeOf } from '../../checks/index.ts'
import { countServices, loadPackage } from '../../database/accounts/packages.ts'
import type { Executor } from '../../database/connect.ts'
import { type NamedTags, setTags, tagsNamed } from '../../database/services/tags.ts'
import type { Caller } from '../../domain/access/caller.ts'
import {
  availableType,
  channelProblems,
  intervalProblems,
  isLimited,
  type KnownSensor,
  type PackageLimits,
  roomProblems,
  type ServiceCounts,
  sensorProblems,
} from '../../domain/access/limits.ts'
import { hasTagOfKey } from '../../domain/access/narrowing.ts'
import { ownOrParents } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { holds } from '../../domain/queries/condition.ts'
import { mergeSettings, type StoredSettings } from '../../domain/services/extended-settings.ts'
import { keptSecretProblems } from '../../domain/services/kept-secrets.ts'
import { addressProblems } from '../../domain/services/monitored-address.ts'
import { pathSteps } from '../../domain/services/path-steps.ts'
import { parseScenario } from '../../domain/services/scenario.ts'
import { serviceDefaults } from '../../domain/services/service-defaults.ts'
import type { ServiceType } from '../../domain/services/service-types.ts'
import type { Call } from '../../rest/call.ts'
import type { Writing } from '../../rest/declare.ts'
import { shareCoverage } from '../../service-state/coverage.ts'
import { wakeIfHeld } from '../../service-state/dependencies.ts'
import { calendarsChanged, hearCalendars } from '../../service-state/pauses.ts'
import { rescheduleService, restartRound, scheduleNew } from '../../service-state/schedule.ts'
import { resumeMonitoring, stopMonitoring } from '../../service-state/stops.ts'
import { noteFaults, noteWarnings, warningsOfService } from '../../service-state/warnings.ts'
import { type GroupFacts, ownerProblems, targetGroup, targetGroupProblems } from '../groups/target-group.ts'
import { type NotifiedPeople, peopleProblems } from '../on-call/references.ts'
import { heartbeatChanged, heartbeatCreated, newHeartbeatFields, slugProblems } from './heartbeat-fields.ts'
import { parentProblems } from './parents.ts'
import { usualChannelsOf } from './usual-channels.ts'
import { serviceWarnings } from './warnings.ts'

export interface Service extends Readonly<Record<string, unknown>>, NotifiedPeople {
  readonly id: number
  readonly owner_id: number
  readonly group_id: number
  readonly type_id: string
  readonly address: string
  readonly interval: number
  readonly is_active: boolean
  readonly is_archived: boolean
  readonly extended_settings: StoredSettings
  readonly notification_channel_ids: readonly string[]
  readonly notification_condition_ids: readonly string[]
  readonly sensor_ids: readonly number[]
  readonly tags: readonly string[]
  readonly parent_ids: readonly number[]
}

interface Facts {
  /** Null: the caller may not read it. */
  readonly group: GroupFacts | null
  readonly limits: PackageLimits | null
  /** None for a new service: those are counted once, in the end. */
  readonly counts: ServiceCounts
  /** Null: the service's own sensors do not change. */
  readonly sensors: readonly KnownSensor[] | null
  /** Null: its tags do not change. */
  readonly tags: NamedTags | null
  /** The channels of a new service that names none. */
  readonly usualChannelIds: readonly string[]
  /** The API key of the caller sees only services with certain tags, and the service would have none of them. */
  readonly leavesKey: boolean
  /** Problems of the people whom it is to notify. */
  readonly peopleProblems: readonly Problem[]
  /** Problems of the services on which it is to depend. */
  readonly parentProblems: readonly Problem[]
}

/** Whether there must be room for it: a new service, or one that is switched on (its package may have shrunk since). */
function takesPlace(row: Partial<Service>, before: Service | null): boolean {
  return before === null || (row.is_active === true && !before.is_active)
}

/** Fields that decide when monitoring stops; wide suspensions cover groups and tags. */
const ofCalendar = ['suspension_hours', 'silent_hours', 'group_id', 'tags'] as const

async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<Service>,
  before: Service | null,
): Promise<Facts> {
  const isHeard = ofCalendar.some((name) => given[name] !== undefined)
  if (before !== null && isHeard) await hearCalendars(transaction, [before.id], call.nowAt)
  const group = await targetGroup(transaction, call, { given, before }, 'can_create_services')
  const typeId = before?.type_id ?? given.type_id ?? ''
  if (group === null) return nothingKnown
  if (before === null) await shareCoverage(transaction, group.owner_id)
  const isSwitchedOn = before !== null && takesPlace(given, before)
  const limits = await loadPackage(transaction, group.owner_id, { lock: isSwitchedOn })
  const isCounted = isSwitchedOn && limits !== null && isLimited(limits, typeId)
  const counts = isCounted ? await countServices(transaction, group.owner_id, typeId, before.id) : noServices
  const hasNewSensors = given.sensor_ids !== undefined && !isDeepStrictEqual(given.sensor_ids, before?.sensor_ids)
  const sensors = hasNewSensors
    ? await transaction.query<KnownSensor>(sql`select id, category_ids from sensors order by id`)
    : null
  const hasNewTags = given.tags !== undefined && !isDeepStrictEqual(given.tags, before?.tags)
  const tags = hasNewTags ? await tagsNamed(transaction, group.owner_id, given.tags) : null
  const leavesKey = (hasNewTags || before === null) && !hasTagOfKey(call.caller, tags?.ids ?? [])
  const isUsual = before === null && given.notification_channel_ids === undefined
  const usualChannelIds = isUsual ? await usualChannelsOf(transaction, group.id) : []
  const strangers = await peopleProblems(transaction, call, group.owner_id, { given, before })
  const ofParents = await parentProblems(transaction, call, group.owner_id, { given, before })
  const found = { group, limits, counts, sensors, tags, usualChannelIds, leavesKey }
  return { ...found, peopleProblems: strangers, parentProblems: ofParents }
}

const noServices: ServiceCounts = { total: 0, ofType: 0 }

const nothingKnown: Facts = {
  ...{ group: null, limits: null, counts: noServices, sensors: null, tags: null, usualChannelIds: [] },
  leavesKey: false,
  peopleProblems: [],
  parentProblems: [],
}

function defaults({ group, limits, usualChannelIds }: Facts, typeId: string): Partial<Service> {
  const owned = group === null ? {} : { group_id: group.id, owner_id: group.owner_id }
  return { ...owned, ...serviceDefaults(limits, typeId, usualChannelIds) }
}

/** Null for a type without a scenario. */
function stepNames(settings: StoredSettings): readonly string[] | null {
  const { scenario } = parseScenario(String(settings['scenario'] ?? ''), 'data.extended_settings.scenario')
  return scenario === null ? null : pathSteps(scenario)
}

/** Address and settings brought to what the type stores. */
function normalised(
  type: ServiceType,
  given: Partial<Service>,
  before: Service | null,
  caller: Caller,
): { row: Partial<Service>; problems: readonly Problem[] } {
  const address = given.address === undefined ? null : addressProblems(type, given.address, 'data.address')
  const stored = before?.extended_settings ?? {}
  const wanted: unknown = given.extended_settings
  const pointer = 'data.extended_settings'
  const settings = wanted === undefined && before !== null ? null : mergeSettings(type, stored, wanted, pointer)
  // For the owner's account and its sub-accounts the API promises that clients may change an address alone.
  const isStranger = before !== null && !holds(ownOrParents(caller), before)
  const row = {
    ...given,
    ...(address === null ? {} : { address: address.address }),
    ...(given.parent_ids === undefined ? {} : { parent_ids: [...new Set(given.parent_ids)] }),
    ...(settings === null ? {} : { extended_settings: settings.settings, path_steps: stepNames(settings.settings) }),
  }
  return {
    row,
    problems: [
      ...(address?.problems ?? []),
      ...(settings?.problems ?? []),
      ...(isStranger ? keptSecretProblems(type, { before, written: row, input: wanted }, pointer) : []),
    ],
  }
}

function complete(
  given: Partial<Service>,
  before: Service | null,
  known: Facts,
  { nowAt, caller }: Call,
): { row: Partial<Service>; problems: readonly Problem[] } {
  const type = serviceTypeOf(before?.type_id ?? given.type_id ?? '')
  if (type === undefined) return { row: given, problems: [] }
  const { row, problems: ofValues } = normalised(type, given, before, caller)
  const problems = [...ofValues, ...slugProblems(type.id, given['ping_slug'])]
  if (before !== null) return { row, problems }
  const own = newHeartbeatFields(type.id, given['name'])
  return { row: { ...defaults(known, type.id), ...own, created_at: nowAt, ...row }, problems }
}

/** A new service whose type is unknown, or not in the package, is told about its interval too. */
function timeProblems(
  limits: PackageLimits,
  row: Partial<Service>,
  type: ServiceType | undefined,
  before: Service | null,
): readonly Problem[] {
  const isTimed = row.interval !== undefined && (takesPlace(row, before) || row.interval !== before?.interval)
  const isAvailable = type !== undefined && availableType(limits, type.id) !== undefined
  if (!isTimed || (before !== null && !isAvailable)) return []
  return intervalProblems(limits, isAvailable ? type.id : null, row.interval)
}

function limitProblems(row: Partial<Service>, known: Facts, before: Service | null): readonly Problem[] {
  const { limits, counts, sensors } = known
  const type = serviceTypeOf(row.type_id ?? '')
  if (limits === null) return []
  const channels = row.notification_channel_ids ?? []
  return [
    ...(type !== undefined && takesPlace(row, before)
      ? roomProblems(limits, type.id, counts, before === null ? 'data.type_id' : 'data.is_active')
      : []),
    ...timeProblems(limits, row, type, before),
    ...(isDeepStrictEqual(channels, before?.notification_channel_ids)
      ? []
      : channelProblems(limits, channels, 'data.notification_channel_ids')),
    ...(sensors === null || type === undefined
      ? []
      : sensorProblems(limits, sensors, { ids: row.sensor_ids ?? [], category: type.category, pointer: ofSensors })),
  ]
}

const ofSensors = 'data.sensor_ids'

const bornArchived: Problem = {
  error: 'incorrect_value',
  field: 'data.is_archived',
  facts: { detail: 'archived_by_action' },
}

const noRoomForTags: Problem = {
  error: 'limit_exceeded',
  field: 'data.tags',
  facts: { limit: 'tags', value: countLimits.tags },
}

const noTagOfKey: Problem = { error: 'incorrect_value', field: 'data.tags', facts: { detail: 'tag_of_key' } }

function rules(row: Partial<Service>, known: Facts, before: Service | null): readonly Problem[] {
  if (before?.is_archived) return [{ error: 'service_is_archived' }]
  return [
    ...targetGroupProblems(known.group, before),
    ...ownerProblems(known.group, row, before),
    ...(before === null && row.is_archived === true ? [bornArchived] : []),
    ...limitProblems(row, known, before),
    ...(known.tags?.isFull ? [noRoomForTags] : []),
    ...(known.leavesKey ? [noTagOfKey] : []),
    ...known.peopleProblems,
    ...known.parentProblems,
  ]
}

async function created(transaction: Executor, call: Call, row: Service, { tags }: Facts): Promise<void> {
  if (tags !== null) await setTags(transaction, row.id, tags.ids)
  await heartbeatCreated(transaction, row)
  await scheduleNew(transaction, row.id, call.nowAt)
  await noteFaults(transaction, [row.id], call.nowAt)
}

/** Whether there is room for a new service, without a lock. Counting ten thousand services takes milliseconds. */
async function crowded(
  transaction: Executor,
  { type_id: typeId = '' }: Partial<Service>,
  { group, limits }: Facts,
): Promise<readonly Problem[]> {
  if (group === null || limits === null || !isLimited(limits, typeId)) return []
  // Rules told these without counting.
  if (roomProblems(limits, typeId, noServices).length > 0) return []
  return roomProblems(limits, typeId, await countServices(transaction, group.owner_id, typeId, null))
}

/**
 * Others of the account may take the last place, so the services are counted under a lock. It comes last, because
 * everybody who makes services in the account waits for it; where nothing is limited, nobody waits.
 */
async function concluded(
  transaction: Executor,
  _call: Call,
  { id, owner_id: ownerId, type_id: typeId }: Service,
  { limits: seen }: Facts,
): Promise<readonly Problem[]> {
  if (seen === null || !isLimited(seen, typeId)) return []
  const limits = await loadPackage(transaction, ownerId, { lock: true })
  return limits === null ? [] : roomProblems(limits, typeId, await countServices(transaction, ownerId, typeId, id))
}

/** Settings of monitoring itself; a verdict that was reached without them says the same of the target. */
const settingsAside = new Set(['sensors_failover', 'disable_breakdown_checks'])

function checksAlike(one: StoredSettings, other: StoredSettings): boolean {
  const ofCheck = (settings: StoredSettings) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => !settingsAside.has(key)))
  return isDeepStrictEqual(ofCheck(one), ofCheck(other))
}

async function changed(
  transaction: Executor,
  call: Call,
  row: Service,
  before: Service,
  { tags }: Facts,
): Promise<void> {
  if (tags !== null) await setTags(transaction, row.id, tags.ids)
  await changedParents(transaction, call, row, before)
  await heartbeatChanged(transaction, row, before)
  await changedMonitoring(transaction, call, row, before)
  await noteWarnings(transaction, [row.id], call.nowAt)
}

/** The former parents may hold its notifications no longer, so the service is analysed soon. */
async function changedParents(transaction: Executor, call: Call, row: Service, before: Service): Promise<void> {
  if (isDeepStrictEqual(row.parent_ids, before.parent_ids)) return
  await wakeIfHeld(transaction, row.id, call.nowAt)
}

async function changedMonitoring(transaction: Executor, call: Call, row: Service, before: Service): Promise<void> {
  if (ofCalendar.some((name) => !isDeepStrictEqual(row[name], before[name]))) {
    await calendarsChanged(transaction, [row.id], call.nowAt)
  }
  if (row.is_active !== before.is_active) {
    if (row.is_active) await resumeMonitoring(transaction, row.id, call.nowAt)
    else await stopMonitoring(transaction, row.id, 'user', call.nowAt)
    return
  }
  if (row.address !== before.address || !checksAlike(row.extended_settings, before.extended_settings)) {
    await restartRound(transaction, row.id, call.nowAt)
  }
  const watched = ['interval', 'notification_mode_id', 'recovery_notification_mode_id', 'extended_settings']
  if (watched.some((name) => !isDeepStrictEqual(row[name], before[name]))) {
    await rescheduleService(transaction, row.id, call.nowAt)
  }
}

/** The rules for creating and changing a service beyond its types (specification: Service, Limits; answers §7). */
export const serviceWrite: Writing<Service, Facts> = {
  ...{ facts, complete, rules, crowded, created, concluded, changed },
  warnings: async (transaction, { language }, id) =>
    serviceWarnings(await warningsOfService(transaction, id), language),
}
