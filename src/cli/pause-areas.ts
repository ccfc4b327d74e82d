import { ProblemError, type Schemas } from '../../client/client.ts'
import { CannotStart } from '../program/cannot-start.ts'
import type { Remote } from './remote.ts'

/** Wide suspensions that a command makes: of a tag, a group or all services of an account. */

/** The services that have the tag, are in the group, or belong to the account. */
export type Area =
  | { readonly ownerId: number; readonly tag: string }
  | { readonly groupId: number }
  | { readonly ownerId: number; readonly tag?: undefined }

/** A service with everything that can make it part of an area. */
export interface ServiceOfAreas {
  readonly id: number
  readonly owner_id: number
  readonly group_id: number
  readonly tags: readonly string[]
}

type WideSuspension = Schemas['wide_suspensions']

export function isIn(service: ServiceOfAreas, area: Area): boolean {
  if ('groupId' in area) return service.group_id === area.groupId
  if (service.owner_id !== area.ownerId) return false
  return area.tag === undefined || service.tags.some((tag) => isSameName(tag, area.tag))
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

export function nameOf(area: Area): string {
  if ('groupId' in area) return `group ${area.groupId}`
  return area.tag === undefined ? `everything of account ${area.ownerId}` : `tag ${area.tag}`
}

/** The option that chooses the area. */
export function flagOf(area: Area): string {
  if ('groupId' in area) return `--group ${area.groupId}`
  return area.tag === undefined ? '--all' : `--tag ${JSON.stringify(area.tag)}`
}

/** A tag of the same name may belong to several accounts. Refuses a name that is no tag. */
export async function areasOfTags(remote: Remote, names: readonly string[]): Promise<readonly Area[]> {
  const tags = await remote.ask((api) => api.all('/tags', { query: { fields: ['id', 'name', 'owner_id'] } }))
  return names.flatMap((wanted) => {
    const found = tags.filter(({ name }) => isSameName(name, wanted))
    if (found.length === 0) throw new CannotStart(`There is no tag ${wanted}, or you may not see it.`)
    return found.map(({ name, owner_id: ownerId }) => ({ ownerId, tag: name }))
  })
}

export function areasOfOwners(services: readonly ServiceOfAreas[]): readonly Area[] {
  return [...new Set(services.map((service) => service.owner_id))].map((ownerId) => ({ ownerId }))
}

function areaOf({ owner_id: ownerId, group_id: groupId, tag }: WideSuspension): Area | null {
  // This command never makes one of a group and a tag together.
  if (groupId !== null) return tag === null ? { groupId } : null
  return tag === null ? { ownerId } : { ownerId, tag }
}

function isSameArea(one: Area, other: Area): boolean {
  return JSON.stringify(bodyOf(one)).toLowerCase() === JSON.stringify(bodyOf(other)).toLowerCase()
}

function bodyOf(area: Area) {
  if ('groupId' in area) return { group_id: area.groupId }
  return area.tag === undefined ? { owner_id: area.ownerId } : { owner_id: area.ownerId, tag: area.tag }
}

/** The wide suspensions in effect that this command made. */
async function current(
  remote: Remote,
  mark: string,
  now: number,
): Promise<readonly { readonly area: Area; readonly row: WideSuspension }[]> {
  const range = { from: new Date(now).toISOString(), to: new Date(now + 1000).toISOString() }
  const query = { ...range, 'permissions.update': true, sort: ['id'] }
  const rows = await remote.ask((api) => api.all('/wide_suspensions', { query }))
  return rows.flatMap((row) => {
    const area = row.description.startsWith(mark) ? areaOf(row) : null
    return area === null ? [] : [{ area, row }]
  })
}

export type AreaOutcome = 'made' | 'extended' | 'kept'

interface PausedArea {
  readonly area: Area
  readonly outcome: AreaOutcome
}

interface AreaOrder {
  /** Unix milliseconds. */
  readonly until: number
  readonly now: number
  readonly onlyNotifications: boolean
}

/** Areas that the login may not suspend as a whole are left out: their services are suspended one by one. */
export async function pauseAreas(
  remote: Remote,
  areas: readonly Area[],
  description: string,
  { until, now, onlyNotifications }: AreaOrder,
): Promise<readonly PausedArea[]> {
  if (areas.length === 0) return []
  const [mark = description] = description.split(':')
  const mine = (await current(remote, mark, now)).filter(({ row }) => row.only_notifications === onlyNotifications)
  const end_time = new Date(until).toISOString()
  const paused: PausedArea[] = []
  for (const area of areas) {
    const known = mine
      .filter((one) => isSameArea(one.area, area))
      .toSorted((one, other) => Date.parse(other.row.end_time) - Date.parse(one.row.end_time))[0]
    if (known !== undefined && Date.parse(known.row.end_time) >= until) {
      paused.push({ area, outcome: 'kept' })
      continue
    }
    const body = { ...bodyOf(area), end_time, only_notifications: onlyNotifications, description }
    const isDone = await unlessRefused(remote, known?.row.id ?? null, known === undefined ? body : { end_time })
    if (isDone) paused.push({ area, outcome: known === undefined ? 'made' : 'extended' })
  }
  return paused
}

const refusals = [403, 404, 422]

/** False: the login may not change this area as a whole. @param id null: it is new */
async function unlessRefused(
  remote: Remote,
  id: number | null,
  body: { readonly end_time: string; readonly owner_id?: number; readonly group_id?: number; readonly tag?: string },
): Promise<boolean> {
  return remote.ask(async (api) => {
    try {
      if (id === null) await api.post('/wide_suspensions', { body })
      else await api.put('/wide_suspensions/{_id}', { path: { _id: id }, body })
      return true
    } catch (error) {
      if (error instanceof ProblemError && refusals.includes(error.status)) return false
      throw error
    }
  })
}

/** Ends the pauses of these areas, or of all (null), and tells the other ones that this command made. */
export async function resumeAreas(
  remote: Remote,
  areas: readonly Area[] | null,
  mark: string,
  now: number,
): Promise<{ readonly ended: readonly Area[]; readonly left: readonly Area[] }> {
  const mine = await current(remote, mark, now)
  const isChosen = (area: Area) => areas === null || areas.some((one) => isSameArea(one, area))
  const end = Math.floor(now / 1000) * 1000
  const ended: Area[] = []
  for (const { area, row } of mine.filter((one) => isChosen(one.area))) {
    const path = { _id: row.id }
    // A suspension cannot end in the second in which it began.
    await remote.ask((api) =>
      Date.parse(row.start_time) < end
        ? api.put('/wide_suspensions/{_id}', { path, body: { end_time: new Date(end).toISOString() } })
        : api.delete('/wide_suspensions/{_id}', { path }),
    )
    if (!ended.some((known) => isSameArea(known, area))) ended.push(area)
  }
  return { ended, left: mine.map(({ area }) => area).filter((area) => !isChosen(area)) }
}
