import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepRemovedServices } from '../../src/service-state/services.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import type { Person } from '../support/people.ts'
import { errorsOf, idOf } from '../support/replies.ts'

/** Acknowledgements of a failure, and people's comments on it. */
let world: FurnishedWorld
let changes: string
let failure: string

beforeAll(async () => {
  world = await furnishedWorld()
  changes = `/services/${world.serviceIds.shared}/history/status_changes`
  failure = `${changes}/${world.history.changeIds.failure}`
})
afterAll(() => world.drop())
beforeEach(() => world.call('alice', 'POST', `${failure}/unacknowledge`))

const shownOf = async (person: Person = 'alice') =>
  (await world.call(person, 'GET', `${failure}?embed=acknowledged_by`)).body as Record<string, unknown>
const isAcknowledged = async () => {
  const { body } = await world.call('alice', 'GET', `/services/${world.serviceIds.shared}?embed=status`)
  return (body as { status: { is_acknowledged: boolean } }).status.is_acknowledged
}

describe('the acknowledgement of a failure', () => {
  test('says who knows of it, since when and what they wrote; a second one changes nothing', async () => {
    expect(await shownOf()).toMatchObject({ acknowledged_at: null, acknowledged_by_account_id: null })
    expect(await isAcknowledged()).toBe(false)
    const first = await world.call('bob', 'POST', `${failure}/acknowledge`, { comment: '<b>On it</b>' })
    expect([first.status, first.text]).toEqual([204, ''])
    const known = {
      acknowledged_at: new Date(world.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
      acknowledged_by_account_id: world.people.ids.bob,
      acknowledgement_comment: '<b>On it</b>',
    }
    expect(await shownOf()).toMatchObject(known)
    expect((await world.call('adam', 'POST', `${failure}/acknowledge`, { comment: 'Me too' })).status).toBe(204)
    expect(await shownOf()).toMatchObject(known)
    expect(await isAcknowledged()).toBe(true)
    // Bob's account is shown to those who may read it alone.
    expect((await shownOf())['acknowledged_by']).toBeNull()
    expect((await shownOf('bob'))['acknowledged_by']).toMatchObject({ id: world.people.ids.bob })
  })

  test('needs no body, is undone, and undoing twice is no problem', async () => {
    expect((await world.call('alice', 'POST', `${failure}/acknowledge`)).status).toBe(204)
    expect(await isAcknowledged()).toBe(true)
    for (let time = 0; time < 2; time += 1)
      expect((await world.call('alice', 'POST', `${failure}/unacknowledge`)).status).toBe(204)
    expect(await shownOf()).toMatchObject({ acknowledged_at: null, acknowledgement_comment: null })
    expect(await isAcknowledged()).toBe(false)
  })

  test('is told once to an incident that was opened, and to nobody who heard nothing', async () => {
    const { shared } = world.serviceIds
    const change = Number(world.history.changeIds.failure)
    await world.database.execute(sql`
      with told as (
        insert into notification_addresses (group_id, notification_channel_id, address, settings, destination)
        select group_id, channel, channel, '{}', 'far.example.com' from services, unnest('{pagerduty,opsgenie,ntfy}'::text[]) channel
        where id = ${shared} returning id, group_id, notification_channel_id, address)
      insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
        notification_condition_id, address, destination, facts, created_at, status)
      select ${shared}, 'failure:' || ${change}::bigint, told.id, ${world.people.ids.alice}, group_id, notification_channel_id, 'failure',
        address, 'far.example.com', jsonb_build_object('change', jsonb_build_object('id', ${world.history.changeIds.failure}::text),
          'service', jsonb_build_object('name', 'Shop')), ${new Date(world.clock.now())}, 'sent'
      from told where notification_channel_id <> 'opsgenie'`)
    for (const person of ['bob', 'adam'] as const)
      await world.call(person, 'POST', `${failure}/acknowledge`, { comment: 'On it' })
    const told = await world.database.query(sql`
      select notification_channel_id as channel, facts->>'by' as by, facts->>'comment' as comment, status
      from notification_intents where notification_condition_id = 'acknowledgement'`)
    expect(told).toEqual([
      { channel: 'pagerduty', by: expect.stringMatching(/bob/i), comment: 'On it', status: 'pending' },
    ])
    await world.database.execute(sql`delete from notification_intents where destination = 'far.example.com'`)
    await world.database.execute(sql`delete from notification_addresses where destination = 'far.example.com'`)
  })

  test('filters services by their status, and status changes', async () => {
    await world.call('alice', 'POST', `${failure}/acknowledge`)
    const found = async (path: string) => ((await world.call('alice', 'GET', path)).body as unknown[]).length
    expect(await found('/services?status.is_acknowledged=true')).toBe(1)
    expect(await found(`/service_statuses?is_acknowledged=true&id=${world.serviceIds.shared}`)).toBe(1)
    expect(await found(`${changes}?acknowledged_by_account_id=${world.people.ids.alice}`)).toBe(1)
  })

  test.each(['acknowledge', 'unacknowledge'])('%s is for those who may modify the service', async (action) => {
    const statuses: [Person, number][] = []
    for (const person of ['adam', 'bob', 'rita', 'carol', 'charlie'] as const)
      statuses.push([person, (await world.call(person, 'POST', `${failure}/${action}`)).status])
    expect(statuses).toEqual([
      ['adam', 204],
      ['bob', 204],
      ['rita', 403],
      ['carol', 403],
      ['charlie', 404],
    ])
  })

  test('only a failure is acknowledged; a long comment has a pointer', async () => {
    const ok = await world.call('alice', 'POST', `${changes}/${world.history.changeIds.ok}/acknowledge`)
    expect([ok.status, errorsOf(ok.body)]).toEqual([422, [['status_change_is_not_failure', undefined]]])
    const long = await world.call('alice', 'POST', `${failure}/acknowledge`, { comment: 'x'.repeat(1001) })
    expect([long.status, errorsOf(long.body)]).toEqual([422, [['value_too_long', 'data.comment']]])
    expect(await isAcknowledged()).toBe(false)
  })

  test('is not that of the next failure', async () => {
    await world.call('alice', 'POST', `${failure}/acknowledge`)
    const { shared } = world.serviceIds
    await world.database.execute(sql`
      update service_statuses set state_change_id = state_change_id + 1 where service_id = ${shared}`)
    expect(await isAcknowledged()).toBe(false)
    await world.database.execute(sql`
      update service_statuses set state_change_id = state_change_id - 1 where service_id = ${shared}`)
  })
})

describe('comments of a failure', () => {
  const write = (person: Person, text: unknown) => world.call(person, 'POST', `${failure}/comments`, { text })

  test('are listed with their authors, oldest first, as they were written', async () => {
    const reply = await write('bob', '<script>alert(1)</script>\nsecond line')
    expect(reply.status).toBe(201)
    const path = String(reply.headers['location']).replace('http://api.test/v3', '')
    expect((await world.call('carol', 'GET', path)).body).toEqual({
      id: idOf(reply),
      time: new Date(world.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
      account_id: world.people.ids.bob,
      text: '<script>alert(1)</script>\nsecond line',
    })
    const { body } = await world.call('carol', 'GET', `${failure}/comments?sort=time&fields=account_id`)
    expect(body).toEqual([{ account_id: world.people.ids.alice }, { account_id: world.people.ids.bob }])
  })

  test('are written by those who may modify the service, and bounded', async () => {
    for (const person of ['rita', 'carol'] as const) expect((await write(person, 'x')).status).toBe(403)
    expect((await write('charlie', 'x')).status).toBe(404)
    for (const [text, error] of [
      ['', 'value_too_short'],
      ['x'.repeat(5001), 'value_too_long'],
      [7, 'incorrect_type'],
    ] as const)
      expect(errorsOf((await write('alice', text)).body)).toEqual([[error, 'data.text']])
    const ok = await world.call('alice', 'POST', `${changes}/${world.history.changeIds.ok}/comments`, { text: 'x' })
    expect(errorsOf(ok.body)).toEqual([['status_change_is_not_failure', undefined]])
  })

  test('are deleted by their author alone', async () => {
    const path = `${failure}/comments/${idOf(await write('adam', 'Mine'))}`
    for (const [person, status] of [
      ['charlie', 404],
      ['carol', 403],
      ['bob', 403],
      ['alice', 403],
      ['adam', 204],
      ['adam', 404],
    ] as const)
      expect([person, (await world.call(person, 'DELETE', path)).status]).toEqual([person, status])
  })

  test('of another failure are not found here', async () => {
    const id = idOf(await write('alice', 'Here'))
    expect((await world.call('alice', 'GET', `${changes}/${world.history.changeIds.ok}/comments/${id}`)).status).toBe(
      404,
    )
  })

  test('go with their service', async () => {
    const { shared } = world.serviceIds
    await world.call('alice', 'DELETE', `/services/${shared}`)
    await sweepRemovedServices(world.database)
    expect(await world.database.query(sql`select id from change_comments where service_id = ${shared}`)).toEqual([])
  })
})
