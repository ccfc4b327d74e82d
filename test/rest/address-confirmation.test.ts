import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { confirmAll } from '../../src/channels/confirmation-codes.ts'
import { apiWorld } from '../support/api.ts'
import { type ConfirmingWorld, codeIn, confirmingWorld, type Place, pathOf } from '../support/confirming.ts'
import { pointersOf } from '../support/refused.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ConfirmingWorld

beforeAll(async () => {
  world = await confirmingWorld()
})
afterAll(() => world.drop())
beforeEach(() => world.begin())

const places: readonly Place[] = [
  ['email', 'alice@example.com'],
  ['sms', '+48600000000'],
  ['jabber', 'alice@jabber.example.com'],
  ['gadu_gadu', '123456'],
]

describe('an address is told nothing before its code came back', () => {
  test.each(places)('%s %s', async (...place) => {
    const id = await world.add(place)
    expect(await world.isConfirmed(id)).toBe(false)
    await world.pauseService()
    const decided = await world.database.query(
      sql`select notification_condition_id as condition from notification_intents`,
    )
    expect(decided).toEqual([{ condition: 'confirmation' }])
    const messages = await world.delivered()
    expect(messages.map(({ channelId, address, condition }) => [channelId, address, condition])).toEqual([
      [...place, 'confirmation'],
    ])
    expect((await world.confirm(id, codeIn(messages[0]))).status).toBe(204)
    expect(await world.isConfirmed(id)).toBe(true)
    expect(await world.told()).toEqual([place[1]])
  })

  test('not even test messages', async () => {
    const id = await world.add(['sms', '+48600000000'])
    const code = await world.arrivingCode()
    const test = () => world.call('alice', 'POST', `/groups/${world.groupId()}/send_test_sms_notification`)
    expect(errorsOf((await test()).body)).toEqual([['no_sms_address', undefined]])
    await world.confirm(id, code)
    expect((await test()).status).toBe(204)
    expect((await world.delivered()).map(({ condition }) => condition)).toEqual(['test'])
  })

  test('the list of addresses can be filtered and sorted by it', async () => {
    const [first, second] = [await world.add(), await world.add(['email', 'bob@example.com'])]
    await world.confirm(second, await world.arrivingCode())
    const ids = async (query: string) => {
      const { body } = await world.call(
        'alice',
        'GET',
        `/groups/${world.groupId()}/notification_addresses?fields=id&${query}`,
      )
      return (body as { id: number }[]).map(({ id }) => id)
    }
    expect(await ids('is_confirmed=false')).toEqual([first])
    expect(await ids('is_confirmed=true')).toEqual([second])
    expect(await ids('sort=-is_confirmed')).toEqual([second, first])
  })
})

describe('a change', () => {
  async function confirmed(): Promise<number> {
    const id = await world.add()
    await world.confirm(id, await world.arrivingCode())
    return id
  }

  test('of the address stops notices until the new one is confirmed', async () => {
    const id = await confirmed()
    await world.change(id, { address: 'bob@example.com' })
    expect(await world.isConfirmed(id)).toBe(false)
    await world.pauseService()
    const messages = await world.delivered()
    expect(messages.map(({ address, condition }) => [address, condition])).toEqual([
      ['bob@example.com', 'confirmation'],
    ])
    await world.confirm(id, codeIn(messages[0]))
    expect(await world.told()).toEqual(['bob@example.com'])
  })

  test('of the channel alone stops them too', async () => {
    const id = await confirmed()
    await world.change(id, { notification_channel_id: 'jabber' })
    expect(await world.isConfirmed(id)).toBe(false)
    expect((await world.delivered()).map(({ channelId }) => channelId)).toEqual(['jabber'])
  })

  test('of anything else, or to the same values, does not', async () => {
    const id = await confirmed()
    const { body } = await world.call('alice', 'GET', pathOf(id))
    expect((await world.change(id, body as object)).status).toBe(204)
    expect((await world.change(id, { description: 'On call', address: 'alice@example.com' })).status).toBe(204)
    expect(await world.isConfirmed(id)).toBe(true)
    expect(await world.delivered()).toEqual([])
  })

  test('nobody confirms by writing is_confirmed', async () => {
    const id = await world.add()
    expect((await world.change(id, { is_confirmed: true })).status).toBe(204)
    expect(await world.isConfirmed(id)).toBe(false)
    const body = { group_id: world.groupId(), notification_channel_id: 'email', address: 'a@b.pl', is_confirmed: true }
    const created = await world.call('alice', 'POST', '/notification_addresses', body)
    expect(pointersOf(created)).toEqual(['field_is_read_only data.is_confirmed'])
  })

  const error_message = 'The address is not confirmed'
  const notices = () =>
    world.database.query(sql`
      select address, status, error_message from notification_intents where notification_condition_id = 'pause'`)

  test('between the decision and the delivery of a notice ends the notice, and the log says why', async () => {
    const id = await confirmed()
    await world.pauseService()
    await world.change(id, { address: 'bob@example.com' })
    expect((await world.delivered()).map(({ condition }) => condition)).toEqual(['confirmation'])
    expect(await notices()).toEqual([{ address: 'alice@example.com', status: 'failed', error_message }])
    const query = 'fields=error_message&notification_condition_id=pause'
    const log = await world.call('alice', 'GET', `/accounts/my_account/logs/notifications?${query}`)
    expect(log.body).toContainEqual({ error_message })
  })

  test('ends the notice to the old address also when the new one was confirmed meanwhile', async () => {
    const id = await confirmed()
    await world.pauseService()
    world.clock.advance(1000)
    await world.database.execute(sql`
      update notification_intents set next_attempt_at = ${new Date(world.clock.now() + 1000)}
      where notification_condition_id = 'pause'`)
    await world.change(id, { address: 'bob@example.com' })
    expect((await world.confirm(id, await world.arrivingCode())).status).toBe(204)
    world.clock.advance(1000)
    expect(await world.delivered()).toEqual([])
    expect(await notices()).toEqual([{ address: 'alice@example.com', status: 'failed', error_message }])
  })
})

describe('where nobody registers', () => {
  test('an address is confirmed from the beginning and after each change, and no code is sent', async () => {
    const alone = await apiWorld({ isRegistrationOpen: false })
    const body = { notification_channel_id: 'sms', address: '+48600000000' }
    const id = idOf(await alone.call('alice', 'POST', '/notification_addresses', body))
    const seen = async () =>
      ((await alone.call('alice', 'GET', pathOf(id))).body as { is_confirmed: boolean }).is_confirmed
    expect(await seen()).toBe(true)
    await alone.call('alice', 'PUT', pathOf(id), { address: '+48600000001' })
    expect(await seen()).toBe(true)
    expect(await alone.database.query(sql`select from notification_intents`)).toEqual([])
    await alone.drop()
  })

  test('what waited for its confirmation while people registered counts as confirmed', async () => {
    const id = await world.add()
    expect(await confirmAll(world.database, world.clock.now())).toBeGreaterThan(0)
    expect(await world.isConfirmed(id)).toBe(true)
  })
})
