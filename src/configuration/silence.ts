import { fold } from '../domain/queries/condition.ts'
import { type Api, listAll, refused } from './api.ts'
import { placeOf } from './defaults.ts'
import type { Definition } from './definitions.ts'
import type { Installed } from './installation.ts'
import { isEnding, type Plan } from './plan.ts'

/** The services of a configuration whose failures reach nobody, before it is applied and after. */

type Row = Readonly<Record<string, unknown>>

export interface Untold {
  readonly key: string
  /** The name of its group. */
  readonly group: string
  /** An address of the group would be told if its holder had confirmed it. */
  readonly isWaiting: boolean
}

interface Around {
  readonly groups: readonly Row[]
  readonly addresses: readonly Row[]
  readonly tags: readonly Row[]
  readonly defaultGroup: unknown
}

interface Service {
  readonly key: string
  readonly row: Row
}

/** Everything that the rule looks at, of the installation or as the files want it. */
interface Facts {
  readonly services: readonly Service[]
  /** By their number or definition, as services name them. */
  readonly groups: ReadonlyMap<unknown, Row>
  readonly addresses: readonly Row[]
  readonly tags: readonly Row[]
  readonly defaultGroup: unknown
}

async function readAround(api: Api): Promise<Around> {
  const people = 'contact_ids,contact_group_ids'
  const path = '/groups/my_default_group?fields=id'
  const own = await api.send({ method: 'GET', path })
  // A caller without a default group names one in each object.
  if (own.status !== 200 && own.status !== 404) refused(api, path, own)
  return {
    groups: await listAll(api, '/groups', { fields: `id,name,${people},escalation_id` }),
    addresses: await listAll(api, '/notification_addresses', {
      fields: 'id,group_id,notification_channel_id,is_enabled,is_confirmed,tags',
    }),
    tags: await listAll(api, '/tags', { fields: `id,name,${people}` }),
    defaultGroup: (own.body as Row | null)?.['id'],
  }
}

interface Wanted {
  readonly definition: Definition
  readonly current: Installed | null
  readonly row: Row
}

/** The objects of a kind as the files want them: members that no file names stay as they are. */
function wantedOf({ changes, unchanged }: Plan, kind: string): readonly Wanted[] {
  const making = changes.flatMap((change) => (isEnding(change) ? [] : [change]))
  return [...making, ...unchanged]
    .filter(({ definition }) => definition.kind.name === kind)
    .map(({ definition, current, values }) => ({ definition, current, row: { ...current?.row, ...values } }))
}

/** The objects of the installation, and of the files in their place, by their number or definition. */
function afterwards(plan: Plan, kind: string, installed: readonly Row[]): ReadonlyMap<unknown, Row> {
  const gone = plan.changes.flatMap((change) => (change.action === 'delete' ? [change.current] : []))
  const rows = new Map<unknown, Row>(installed.map((row) => [row['id'], row]))
  for (const one of gone) if (one.kind.name === kind) rows.delete(one.id)
  for (const { definition, current, row } of wantedOf(plan, kind))
    rows.set(current?.id ?? definition, { ...rows.get(current?.id), ...row })
  return rows
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : [])
const namesPeople = (row: Row) => ['contact_ids', 'contact_group_ids'].some((name) => listOf(row[name]).length > 0)
const hasEscalation = (row: Row) => row['escalation_id'] !== null && row['escalation_id'] !== undefined

/** It is to notify of failures: else its silence is somebody's choice. */
function isToTell(row: Row): boolean {
  const { notification_condition_ids: conditions, notification_channel_ids: channels } = row
  if (row['is_active'] === false || row['is_archived'] === true) return false
  if (conditions !== undefined && !listOf(conditions).includes('failure')) return false
  return channels === undefined || listOf(channels).length > 0
}

/** A new service without channels gets all that its group's addresses offer. */
function isOnChannel(row: Row, address: Row): boolean {
  const { notification_channel_ids: channels } = row
  return channels === undefined || listOf(channels).includes(address['notification_channel_id'])
}

const tagsOf = (row: Row) => listOf(row['tags']).map((name) => fold(String(name)))

function isForTagsOf(row: Row, address: Row): boolean {
  const only = tagsOf(address)
  return only.length === 0 || tagsOf(row).some((name) => only.includes(name))
}

/**
 * The services that tell nobody once the plan is applied, as far as the files and the installation say: nobody knows
 * yet which objects will be refused. Also of an account without any address, of which the API does not warn.
 */
export async function untoldAfter(api: Api, plan: Plan): Promise<readonly Untold[]> {
  const services = wantedOf(plan, 'services')
    .filter(({ row }) => isToTell(row))
    .map(({ definition: { key }, row }) => ({ key, row }))
  if (services.length === 0) return []
  const { groups, addresses, tags, defaultGroup } = await readAround(api)
  return untoldOf({
    ...{ services, defaultGroup, groups: afterwards(plan, 'groups', groups) },
    addresses: [...afterwards(plan, 'notification_addresses', addresses).values()],
    tags: [...afterwards(plan, 'tags', tags).values()],
  })
}

const serviceFields = [
  ...['id', 'managed_key', 'managed_by', 'group_id', 'tags', 'is_active', 'is_archived', 'escalation_id'],
  ...['contact_ids', 'contact_group_ids', 'notification_condition_ids', 'notification_channel_ids'],
].join(',')

/** The services that tell nobody after the plan was applied. Refused objects and unconfirmed addresses do not count. */
export async function untoldNow(api: Api, plan: Plan): Promise<readonly Untold[]> {
  const keys = new Set(wantedOf(plan, 'services').map(({ definition }) => definition.key))
  if (keys.size === 0) return []
  const rows = await listAll(api, '/services', { managed_by: plan.mark, fields: serviceFields })
  const services = rows
    .filter((row) => row['managed_by'] === plan.mark && keys.has(String(row['managed_key'])) && isToTell(row))
    .map((row) => ({ key: String(row['managed_key']), row }))
  if (services.length === 0) return []
  const { groups, ...around } = await readAround(api)
  return untoldOf({ ...around, services, groups: new Map(groups.map((row) => [row['id'], row])) })
}

function untoldOf({ services, groups, addresses, tags, defaultGroup }: Facts): readonly Untold[] {
  const toldTags = new Set(tags.filter(namesPeople).map((row) => fold(String(row['name']))))
  const groupOf = (row: Row) => placeOf(row['group_id']) ?? defaultGroup
  const byGroup = new Map<unknown, Row[]>()
  for (const row of addresses.filter((address) => address['is_enabled'] !== false)) {
    const place = groupOf(row)
    const there = byGroup.get(place)
    if (there === undefined) byGroup.set(place, [row])
    else there.push(row)
  }
  return services.flatMap(({ key, row }): readonly Untold[] => {
    const group = groups.get(groupOf(row)) ?? {}
    if ([row, group].some((place) => hasEscalation(place) || namesPeople(place))) return []
    if (tagsOf(row).some((name) => toldTags.has(name))) return []
    const own = byGroup.get(groupOf(row)) ?? []
    const fitting = own.filter((address) => isOnChannel(row, address) && isForTagsOf(row, address))
    if (fitting.some((address) => address['is_confirmed'] !== false)) return []
    return [{ key, group: String(group['name'] ?? ''), isWaiting: fitting.length > 0 }]
  })
}

const [mostGroups, mostKeys] = [5, 3]

function someOf(texts: readonly string[], most: number): string {
  const more = texts.length - most
  return more > 0 ? `${texts.slice(0, most).join(', ')} and ${more} more` : texts.join(', ')
}

/** One sentence for people, with the way out; null if everything tells somebody. */
export function untoldText(untold: readonly Untold[]): string | null {
  if (untold.length === 0) return null
  const byGroup = new Map<string, string[]>()
  for (const { key, group } of untold) byGroup.set(group, [...(byGroup.get(group) ?? []), key])
  const groups = [...byGroup].map(
    ([group, keys]) => `${keys.length} in the group ${JSON.stringify(group)} (${someOf(keys, mostKeys)})`,
  )
  const count = untold.length === 1 ? '1 service tells' : `${untold.length} services tell`
  const waiting = untold.filter(({ isWaiting }) => isWaiting).length
  return `${count} nobody of a failure: ${groups.slice(0, mostGroups).join('; ')}${
    groups.length > mostGroups ? `; and in ${groups.length - mostGroups} more groups` : ''
  }. ${waiting === 0 ? '' : `${waiting} of them will tell an address once its holder confirms it. `}Give each group a confirmed address on a channel of its services (notification_channel_ids), or name contacts or an escalation.`
}
