import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { readPageSuspensions } from '../../src/database/status-pages/page-suspensions.ts'
import { followPlannedStops } from '../../src/status-pages/follow-stops.ts'
import { idOf } from '../support/replies.ts'
import { StatusPageRig } from '../support/status-page-rig.ts'

/** Suspensions of services, groups, tags and accounts, as the components that they concern show them. */

const rig = new StatusPageRig()
const { component, visit } = rig

const make = async (path: string, body: object) => idOf(await rig.world.call('alice', 'POST', path, body))

interface Watched {
  readonly group: number
  /** In the group, with a tag. */
  readonly first: number
  /** In the group. */
  readonly second: number
  readonly tag: string
}

let watched: Watched
const plans: [path: string, id: number][] = []

beforeEach(async () => {
  for (const [path, id] of plans.splice(0)) await rig.world.call('alice', 'DELETE', `${path}/${id}`)
  const group = await make('/groups', { name: `Planned ${rig.number}` })
  const tag = `Web ${rig.number}`
  await make('/tags', { name: tag })
  const service = (name: string, more: object) =>
    make('/services', { type_id: 'http', name, address: `${name}.example.com`, group_id: group, ...more })
  const first = await service('first', { tags: [tag] })
  watched = { group, tag, first, second: await service('second', {}) }
  await component({ name: 'First', service_id: first })
  await component({ name: 'Both', group_id: group })
  await component({ name: 'Tagged', tag: tag.toUpperCase() })
  await component({ name: 'Other', service_id: rig.world.serviceIds.private })
  const shown = { shows_suspensions: true, shows_weekly_suspensions: true }
  await rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, shown)
})

const moment = (seconds: number) => new Date(rig.world.clock.now() + seconds * 1000).toISOString()
const at = (hour: number) => ({ day_of_week: 2, hour, minute: 0 })

async function plan(path: string, body: object): Promise<void> {
  plans.push([path, await make(path, body)])
}

interface Maintenance {
  readonly id: string
  readonly components: readonly { readonly name: string; readonly status: string }[]
}

async function planned(): Promise<readonly Maintenance[]> {
  return (await visit('/api/v2/scheduled-maintenances.json')).json().scheduled_maintenances
}

const namesOf = ({ components }: Maintenance) => components.map(({ name }) => name)

const scopes: readonly (readonly [string, (of: Watched) => object, readonly string[]])[] = [
  ['a group', ({ group }) => ({ group_id: group }), ['First', 'Both', 'Tagged']],
  ['a tag', ({ tag }) => ({ tag }), ['First', 'Both', 'Tagged']],
  ['the account', () => ({}), ['First', 'Both', 'Tagged', 'Other']],
]

describe.each(scopes)('a suspension of %s', (_name, scope, names) => {
  test('appears at all components that it concerns, and subscribers of each are told', async () => {
    await plan('/wide_suspensions', { ...scope(watched), start_time: moment(600), end_time: moment(1200) })
    const shown = await planned()
    expect(shown.map(namesOf)).toEqual([names])
    await followPlannedStops(rig.world.database, rig.world.clock.now())
    const told = await rig.world.database.query<{ stop_id: string; facts: { components: { name: string }[] } }>(
      sql`select stop_id, facts from status_page_notices where status_page_id = ${rig.id}`,
    )
    expect(told.map(({ stop_id: id, facts }) => [id, facts.components.map(({ name }) => name)])).toEqual([
      [shown[0]?.id, names],
    ])
  })

  test('each week does, too', async () => {
    await plan('/wide_weekly_suspensions', { ...scope(watched), start_minute: at(3), end_minute: at(4) })
    const shown = await planned()
    expect(shown.map(namesOf)).toEqual([names, names, names, names])
  })
})

test('a suspension of one service concerns the components that show it among others', async () => {
  const { second } = watched
  await plan('/suspensions', { service_id: second, start_time: moment(600), end_time: moment(1200) })
  await plan('/weekly_suspensions', { service_id: second, start_minute: at(3), end_minute: at(4) })
  expect(new Set((await planned()).map((one) => namesOf(one).join()))).toEqual(new Set(['Both']))
})

test('a page that does not show suspensions has none, whatever others of the account show', async () => {
  const { group, tag } = watched
  const own = { id: rig.id, slug: rig.slug }
  rig.slug = `silent-${rig.number}`
  rig.id = await rig.page({})
  for (const source of [{ group_id: group }, { tag }]) await component({ name: 'Silent', ...source })
  await plan('/wide_suspensions', { group_id: group, start_time: moment(600), end_time: moment(1200) })
  expect(await planned()).toEqual([])
  await followPlannedStops(rig.world.database, rig.world.clock.now())
  const told = await rig.world.database.query(
    sql`select status_page_id from status_page_notices where status_page_id in (${own.id}, ${rig.id})`,
  )
  expect(told).toEqual([{ status_page_id: own.id }])
  const rows = await readPageSuspensions(rig.world.database, own, rig.world.clock.now())
  expect(rows.map(({ component_ids: ids }) => ids.length)).toEqual([3])
})

test('an archived service of a group is stopped by nobody', async () => {
  await rig.world.call('alice', 'POST', `/services/${watched.second}/archive`)
  await rig.world.call('alice', 'POST', `/services/${watched.first}/archive`)
  await plan('/wide_suspensions', { group_id: watched.group, start_time: moment(600), end_time: moment(1200) })
  expect((await planned()).flatMap(namesOf)).not.toContain('Both')
})

describe('while a part of a component is stopped', () => {
  /** The verdict on a service as of now. */
  async function state(service: number, status: 'ok' | 'failure' | 'paused', monitoring: 'on' | 'suspended') {
    const { database, clock } = rig.world
    const since = new Date(clock.now() - 3_600_000)
    await database.execute(sql`delete from status_changes where service_id = ${service}`)
    await database.execute(sql`insert into status_changes (service_id, change_id, status, start_time)
      values (${service}, 1, ${status}, ${since})`)
    await database.execute(sql`update service_statuses set state = ${status}, monitoring_status = ${monitoring},
      valid_until = ${new Date(clock.now() + 86_400_000)} where service_id = ${service}`)
  }
  const statusOfBoth = async () => {
    const [shown] = await planned()
    return shown?.components.find(({ name }) => name === 'Both')?.status
  }

  test('the others say how it is', async () => {
    await plan('/suspensions', { service_id: watched.first, start_time: moment(-60), end_time: moment(3600) })
    await state(watched.first, 'paused', 'suspended')
    await state(watched.second, 'ok', 'on')
    expect(await statusOfBoth()).toBe('operational')
    await state(watched.second, 'failure', 'on')
    expect(await statusOfBoth()).toBe('major_outage')
    await state(watched.second, 'paused', 'suspended')
    expect(await statusOfBoth()).toBe('under_maintenance')
  })
})
