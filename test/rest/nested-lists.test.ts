import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

let world: FurnishedWorld

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

interface Setting {
  readonly setting_id: string
}

async function idsOf(person: Person, path: string): Promise<readonly number[]> {
  const reply = await world.call(person, 'GET', `${path}?fields=id&sort=id&limit=1000`)
  expect([path, reply.status]).toEqual([path, 200])
  return (reply.body as readonly { id: number }[]).map(({ id }) => id)
}

describe('below an account', () => {
  test('stands what it owns, not what is shared with it', async () => {
    const { serviceIds, groupIds, addressIds, plannedIds } = world
    expect(await idsOf('alice', '/accounts/my_account/groups')).toEqual(
      expect.arrayContaining([groupIds.shared, groupIds.private]),
    )
    expect(await idsOf('alice', '/accounts/my_account/services')).toEqual([serviceIds.shared, serviceIds.private])
    expect(await idsOf('alice', '/accounts/my_account/notification_addresses')).toEqual([
      addressIds.shared,
      addressIds.private,
    ])
    expect(await idsOf('alice', '/accounts/my_account/periodic_report_addresses')).toEqual([
      plannedIds['periodic_report_addresses'],
    ])
    expect(await idsOf('bob', '/services')).toEqual([serviceIds.shared])
    for (const list of ['services', 'notification_addresses', 'periodic_report_addresses']) {
      expect([list, await idsOf('bob', `/accounts/my_account/${list}`)]).toEqual([list, []])
    }
    expect(await idsOf('bob', '/accounts/my_account/groups')).not.toContain(groupIds.shared)
  })

  test('a sub-account reaches what its parent has, and has nothing of its own', async () => {
    const { alice } = world.people.ids
    expect(await idsOf('adam', `/accounts/${alice}/services`)).toEqual(await idsOf('alice', '/services'))
    expect(await idsOf('adam', '/accounts/my_account/services')).toEqual([])
  })

  test('nobody reads the lists of an account that they cannot read', async () => {
    const { alice } = world.people.ids
    for (const list of ['groups', 'services', 'notification_addresses', 'periodic_report_addresses', 'package']) {
      for (const person of ['bob', 'charlie'] as const) {
        const reply = await world.call(person, 'GET', `/accounts/${alice}/${list}`)
        expect([list, person, pointersOf(reply)]).toEqual([list, person, ['not_found']])
      }
    }
  })
})

describe('below a group', () => {
  test('stands what is in it, for whom it is shared with too', async () => {
    const { serviceIds, groupIds, addressIds, plannedIds } = world
    for (const person of ['alice', 'bob', 'carol'] as const) {
      expect(await idsOf(person, `/groups/${groupIds.shared}/services`)).toEqual([serviceIds.shared])
      expect(await idsOf(person, `/groups/${groupIds.shared}/notification_addresses`)).toEqual([addressIds.shared])
      expect(await idsOf(person, `/groups/${groupIds.shared}/periodic_report_addresses`)).toEqual([
        plannedIds['periodic_report_addresses'],
      ])
      expect(await idsOf(person, `/groups/${groupIds.shared}/sensors`)).toEqual(world.people.sensorIds)
    }
  })
})

describe('below a service', () => {
  test('stand its own suspensions, and who hears of it', async () => {
    const { serviceIds, addressIds, plannedIds } = world
    const service = `/services/${serviceIds.shared}`
    expect(await idsOf('bob', `${service}/notification_addresses`)).toEqual([addressIds.shared])
    expect(await idsOf('bob', `${service}/periodic_report_addresses`)).toEqual([
      plannedIds['periodic_report_addresses'],
    ])
    expect(await idsOf('bob', `${service}/suspensions`)).toEqual([
      plannedIds['suspensions'],
      plannedIds['scheduled_suspensions'],
    ])
    expect(await idsOf('bob', `${service}/scheduled_suspensions`)).toEqual([plannedIds['scheduled_suspensions']])
    expect(await idsOf('bob', `${service}/weekly_suspensions`)).toEqual([plannedIds['weekly_suspensions']])
    for (const list of ['suspensions', 'scheduled_suspensions', 'weekly_suspensions', 'notification_addresses']) {
      expect(await idsOf('alice', `/services/${serviceIds.private}/${list}`)).toEqual(
        list === 'notification_addresses' ? [addressIds.private] : [],
      )
    }
  })
})

describe('the owner of a thing', () => {
  const paths = (): readonly string[] => [
    `/groups/${world.groupIds.shared}`,
    `/services/${world.serviceIds.shared}`,
    `/notification_addresses/${world.addressIds.shared}`,
    `/periodic_report_addresses/${world.plannedIds['periodic_report_addresses']}`,
  ]

  test('is read by the owner and its sub-accounts', async () => {
    for (const path of paths()) {
      for (const person of ['alice', 'adam'] as const) {
        const reply = await world.call(person, 'GET', `${path}/owner?fields=id,username`)
        expect([path, reply.body]).toEqual([path, { id: world.people.ids.alice, username: 'alice' }])
      }
    }
  })

  test('is not found by whom the thing is shared with, who cannot read the account', async () => {
    for (const path of paths()) {
      expect([path, (await world.call('bob', 'GET', path)).status]).toEqual([path, 200])
      expect([path, pointersOf(await world.call('bob', 'GET', `${path}/owner`))]).toEqual([path, ['not_found']])
    }
  })
})

test('the group of an address and of a service are read below them', async () => {
  const { addressIds, serviceIds, groupIds } = world
  for (const path of [`/notification_addresses/${addressIds.shared}`, `/services/${serviceIds.shared}`]) {
    expect((await world.call('bob', 'GET', `${path}/group?fields=id`)).body).toEqual({ id: groupIds.shared })
  }
})

test('the settings of a type are listed below it, the same as embedded', async () => {
  const { body } = await world.call('alice', 'GET', '/service_types/ping/extended_setting_formats?limit=100')
  const whole = await world.call('alice', 'GET', '/service_types/ping?embed=extended_setting_formats')
  const { extended_setting_formats: embedded } = whole.answer
  const bySetting = (one: Setting, other: Setting) => one.setting_id.localeCompare(other.setting_id)
  expect(embedded.toSorted(bySetting)).toEqual((body as readonly Setting[]).toSorted(bySetting))
  expect(embedded.map(({ setting_id }) => setting_id)).toContain('bytes_to_send')
})
