import type { Client, Init, Schemas } from '../../client/client.ts'
import { CannotStart } from '../program/cannot-start.ts'
import {
  type Area,
  type AreaOutcome,
  areasOfOwners,
  areasOfTags,
  flagOf,
  isIn,
  nameOf,
  pauseAreas,
  resumeAreas,
  type ServiceOfAreas,
} from './pause-areas.ts'
import type { Remote } from './remote.ts'

/** Suspensions that a command makes for a deployment, and ends after it. */

/** Each kind excludes the others. Groups and services are named by their numbers or names. */
export interface Selection {
  readonly tag?: readonly string[]
  readonly group?: readonly string[]
  readonly service?: readonly string[]
  readonly all?: boolean
}

type ServiceQuery = NonNullable<Init<'GET', '/services'>['query']>

/** How a suspension of this command is told from others: its description begins so. */
const mark = 'latarnik pause'
/** Elements of one request. */
const batchSize = 1000
const idsOfRequest = 100

/** Problem texts, each with the number of services that it concerns. */
export type Refusals = ReadonlyMap<string, number>

export interface Paused {
  /** Tags, groups or everything: services that come there meanwhile are suspended, too. */
  readonly follows: readonly string[]
  /** Newly suspended services. */
  readonly made: number
  /** Services whose suspension lasts longer now. */
  readonly extended: number
  /** Services whose suspension lasts long enough already. */
  readonly kept: number
  readonly refusals: Refusals
}

export interface PauseOrder {
  /** Unix milliseconds. */
  readonly until: number
  readonly now: number
  readonly onlyNotifications: boolean
  readonly description: string
}

/** The objects with these numbers or names. A name that several have is refused. */
async function named(remote: Remote, list: 'groups' | 'services', wanted: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const text of wanted) {
    const by = /^\d+$/.test(text) ? { id: [Number(text)] } : { name: [text] }
    const found = await remote.ask((api) => api.all(`/${list}`, { query: { ...by, fields: ['id', 'name'] } }))
    const [one, other] = found
    if (one === undefined) throw new CannotStart(`There is none of the ${list} called ${text}, or you may not see it.`)
    if (other !== undefined) {
      const numbers = found.map(({ id }) => id).join(', ')
      throw new CannotStart(`Several of the ${list} are called ${text}. Name one by its number: ${numbers}.`)
    }
    ids.push(one.id)
  }
  return ids
}

/** The condition on the list of services, and the areas that it names. */
async function conditionOf(
  remote: Remote,
  selection: Selection,
): Promise<{ readonly query: ServiceQuery; readonly areas: readonly Area[] }> {
  const { tag = [], group = [], service = [], all = false } = selection
  const kinds = [tag.length > 0, group.length > 0, service.length > 0, all].filter(Boolean).length
  if (kinds !== 1) throw new CannotStart('Choose services by one of --tag, --group, --service or --all.')
  if (tag.length > 0) return { query: { tags: tag }, areas: await areasOfTags(remote, tag) }
  if (group.length > 0) {
    const ids = await named(remote, 'groups', group)
    return { query: { group_id: ids }, areas: ids.map((groupId) => ({ groupId })) }
  }
  return { query: service.length > 0 ? { id: await named(remote, 'services', service) } : {}, areas: [] }
}

interface Selected {
  /** Services that the login may suspend. */
  readonly services: readonly ServiceOfAreas[]
  /** Where services that come later belong to the selection, too. */
  readonly areas: readonly Area[]
}

async function selected(remote: Remote, selection: Selection): Promise<Selected> {
  const { query, areas } = await conditionOf(remote, selection)
  const usual = { is_archived: false, 'permissions.create_suspensions': true, sort: ['id'] }
  const fields = ['id', 'name', 'owner_id', 'group_id', 'tags'] as const
  const services = await remote.ask((api) => api.all('/services', { query: { ...query, ...usual, fields } }))
  const everything = selection.all === true ? areasOfOwners(services) : areas
  if (services.length === 0 && everything.length === 0) {
    throw new CannotStart('No service is selected that you may suspend.')
  }
  return { services, areas: everything }
}

/** The suspensions of this command that are in effect. */
async function current(
  remote: Remote,
  ids: readonly number[],
  now: number,
): Promise<readonly Schemas['suspensions'][]> {
  const range = { from: new Date(now).toISOString(), to: new Date(now + 1000).toISOString() }
  const found: Schemas['suspensions'][] = []
  for (const service_id of batches(ids, idsOfRequest)) {
    const query = { ...range, service_id, sort: ['id'] }
    found.push(...(await remote.ask((api) => api.all('/suspensions', { query }))))
  }
  return found.filter(({ description }) => description.startsWith(mark))
}

function* batches<Value>(values: readonly Value[], size: number): Generator<readonly Value[]> {
  for (let first = 0; first < values.length; first += size) yield values.slice(first, first + size)
}

class Changes {
  readonly refusals = new Map<string, number>()
  readonly #remote: Remote

  constructor(remote: Remote) {
    this.#remote = remote
  }

  /** Returns how many succeeded. */
  async send(
    ids: readonly number[],
    change: (
      api: Client,
      some: readonly number[],
    ) => Promise<readonly Pick<Schemas['bulk_result'], 'ok' | 'problems'>[]>,
  ): Promise<number> {
    let done = 0
    for (const some of batches(ids, batchSize)) {
      const outcomes = await this.#remote.ask((api) => change(api, some))
      done += outcomes.filter(({ ok }) => ok).length
      for (const { problems } of outcomes.filter(({ ok }) => !ok)) {
        const text = problems.map(({ message }) => message).join(' ')
        this.refusals.set(text, (this.refusals.get(text) ?? 0) + 1)
      }
    }
    return done
  }
}

/**
 * Suspends the services until a moment, and with a tag, a group or everything also those that come there until then. A
 * repetition changes nothing but the end, which never comes earlier: another deployment may need the rest.
 */
export async function pauseServices(remote: Remote, selection: Selection, order: PauseOrder): Promise<Paused> {
  const { services, areas } = await selected(remote, selection)
  const wide = await pauseAreas(remote, areas, descriptionOf(order), order)
  const outcomeOf = (service: ServiceOfAreas) => wide.find(({ area }) => isIn(service, area))?.outcome
  const count = (outcome: AreaOutcome) => services.filter((service) => outcomeOf(service) === outcome).length
  const rest = services.filter((service) => outcomeOf(service) === undefined)
  const each = await pauseEach(
    remote,
    rest.map(({ id }) => id),
    order,
  )
  return {
    made: each.made + count('made'),
    extended: each.extended + count('extended'),
    kept: each.kept + count('kept'),
    follows: wide.map(({ area }) => nameOf(area)),
    refusals: each.refusals,
  }
}

function descriptionOf({ description }: PauseOrder): string {
  return description === '' ? mark : `${mark}: ${description}`
}

/** A suspension for each service. */
async function pauseEach(remote: Remote, ids: readonly number[], order: PauseOrder): Promise<Omit<Paused, 'follows'>> {
  const { until, now, onlyNotifications } = order
  const mine = (await current(remote, ids, now)).filter((one) => one.only_notifications === onlyNotifications)
  const suspended = new Set(mine.map((one) => one.service_id))
  const latest = new Map<number, Schemas['suspensions']>()
  for (const one of mine) {
    const known = latest.get(one.service_id)
    if (known === undefined || Date.parse(one.end_time) > Date.parse(known.end_time)) latest.set(one.service_id, one)
  }
  const short = [...latest.values()].filter(({ end_time }) => Date.parse(end_time) < until)
  const changes = new Changes(remote)
  const end_time = new Date(until).toISOString()
  const extended = await changes.send(
    short.map(({ id }) => id),
    (api, some) => api.post('/suspensions/bulk_update', { body: { ids: some, end_time } }),
  )
  const rest = { end_time, only_notifications: onlyNotifications, description: descriptionOf(order) }
  const made = await changes.send(
    ids.filter((id) => !suspended.has(id)),
    (api, some) => api.post('/suspensions/bulk_create', { body: { ...rest, service_ids: some } }),
  )
  return { made, extended, kept: latest.size - short.length, refusals: changes.refusals }
}

export interface Resumed {
  /** Services with a suspension that ended. */
  readonly ended: number
  /** Tags, groups or everything, whose pause ended. */
  readonly areas: readonly string[]
  readonly refusals: Refusals
}

/** Ends the suspensions of `pauseServices` that are in effect, and no others. */
export async function resumeServices(remote: Remote, selection: Selection, now: number): Promise<Resumed> {
  const { services, areas } = await selected(remote, selection)
  const { ended: wide, left } = await resumeAreas(remote, selection.all === true ? null : areas, mark, now)
  const mine = await current(
    remote,
    services.map(({ id }) => id),
    now,
  )
  const end = Math.floor(now / 1000) * 1000
  const end_time = new Date(end).toISOString()
  const changes = new Changes(remote)
  const [begun, fresh] = [
    mine.filter(({ start_time }) => Date.parse(start_time) < end),
    mine.filter(({ start_time }) => Date.parse(start_time) >= end),
  ]
  await changes.send(
    begun.map(({ id }) => id),
    (api, some) => api.post('/suspensions/bulk_update', { body: { ids: some, end_time } }),
  )
  // A suspension cannot end in the second in which it began.
  await changes.send(
    fresh.map(({ id }) => id),
    (api, some) => api.post('/suspensions/bulk_delete', { body: { ids: some } }),
  )
  const refused = [...changes.refusals.values()].reduce((sum, count) => sum + count, 0)
  const single = new Set(mine.map((one) => one.service_id))
  const covered = services.filter((service) => wide.some((area) => isIn(service, area)) && !single.has(service.id))
  for (const area of left) {
    const count = services.filter((service) => isIn(service, area)).length
    if (count > 0) changes.refusals.set(`${nameOf(area)} is still paused: latarnik resume ${flagOf(area)}`, count)
  }
  return { ended: mine.length - refused + covered.length, areas: wide.map(nameOf), refusals: changes.refusals }
}
