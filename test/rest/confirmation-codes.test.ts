import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Reply } from '../support/api.ts'
import {
  type ConfirmingWorld,
  codeIn,
  confirmingWorld,
  isWrong,
  otherThan,
  type Place,
  pathOf,
  sent,
  wrong,
} from '../support/confirming.ts'
import { givePackage } from '../support/packages.ts'
import type { Person } from '../support/people.ts'
import { pointersOf, problemsOf } from '../support/refused.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ConfirmingWorld

beforeAll(async () => {
  world = await confirmingWorld()
})
afterAll(() => world.drop())
beforeEach(() => world.begin())

describe('a code', () => {
  test('works once the digits are right, with spaces or without', async () => {
    const id = await world.add()
    const code = await world.arrivingCode()
    expect((await world.confirm(id, ` ${code.slice(0, 4)} ${code.slice(4)} `)).status).toBe(204)
    expect((await world.confirm(id, code)).status).toBe(204)
    const further = await world.call('alice', 'POST', `/notification_addresses/${id}/send_confirmation_code`)
    expect([further.status, errorsOf(further.body)]).toEqual([422, [['address_is_confirmed', undefined]]])
  })

  test('is refused with its place and in words when it is wrong, missing or no text', async () => {
    const id = await world.add()
    const reply = await world.confirm(id, otherThan(await world.arrivingCode()))
    expect(wrong(reply)).toEqual(isWrong)
    const [{ message }] = problemsOf(reply)
    expect(message).toContain('30')
    const bodies = [{}, { code: 12345678 }, { code: '1', more: 1 }]
    const answers = await Promise.all(
      bodies.map((body) => world.call('alice', 'POST', `/notification_addresses/${id}/confirm`, body)),
    )
    expect(answers.map(pointersOf)).toEqual([
      ['missing_value data.code'],
      ['incorrect_type data.code'],
      ['unknown_field data.more'],
    ])
  })

  test('is worth nothing after five wrong ones, however many come at once', async () => {
    const id = await world.add()
    const code = await world.arrivingCode()
    const guesses = await Promise.all(Array.from({ length: 5 }, () => world.confirm(id, otherThan(code))))
    expect(guesses.map(wrong)).toEqual(Array(5).fill(isWrong))
    expect(wrong(await world.confirm(id, code))).toEqual(isWrong)
    expect((await world.order(id)).status).toBe(204)
    const next = await world.arrivingCode()
    expect((await world.confirm(id, next)).status).toBe(204)
  })

  test('is worth nothing after half an hour', async () => {
    const id = await world.add()
    const code = await world.arrivingCode()
    world.clock.advance(30 * 60_000)
    expect(wrong(await world.confirm(id, code))).toEqual(isWrong)
  })

  test('is worth nothing when a newer one was ordered', async () => {
    const id = await world.add()
    const first = await world.arrivingCode()
    await world.order(id)
    const second = await world.arrivingCode()
    expect(wrong(await world.confirm(id, first === second ? otherThan(second) : first))).toEqual(isWrong)
    expect((await world.confirm(id, second)).status).toBe(204)
  })

  test('confirms no other address, and not what its address became', async () => {
    const [first, second] = [await world.add(), await world.add(['email', 'bob@example.com'])]
    const code = codeIn((await world.delivered()).find(({ address }) => address === 'alice@example.com'))
    expect(wrong(await world.confirm(second, code))).toEqual(isWrong)
    await world.change(first, { address: 'carol@example.com' })
    expect(wrong(await world.confirm(first, code))).toEqual(isWrong)
  })

  test('is not sent when its address was changed, removed or confirmed meanwhile', async () => {
    const [changed, removed, confirmedId] = [
      await world.add(),
      await world.add(['sms', '+48600000001']),
      await world.add(['jabber', 'a@b.pl']),
    ]
    await world.change(changed, { address: 'bob@example.com' })
    await world.call('alice', 'DELETE', pathOf(removed))
    await world.database.execute(sql`
      update notification_addresses set confirmed_at = ${new Date()} where id = ${confirmedId}`)
    expect((await world.delivered()).map(({ address }) => address)).toEqual(['bob@example.com'])
  })

  test('of a message that is tried again is another one, and the last one works', async () => {
    const id = await world.add()
    const codes: string[] = []
    await world.delivered((message) => {
      codes.push(codeIn(message), message.key)
      return { status: 'failed', permanent: false, error: 'busy' }
    })
    world.clock.advance(3_600_000)
    const [again] = await world.delivered()
    const [first = '', firstKey] = codes
    expect(again?.key).not.toBe(firstKey)
    if (first !== codeIn(again)) expect(wrong(await world.confirm(id, first))).toEqual(isWrong)
    expect((await world.confirm(id, codeIn(again))).status).toBe(204)
  })

  test('is in the language of the account, and brings no word that a customer chose', async () => {
    await world.call('alice', 'PUT', '/accounts/my_account', { language_id: 'en' })
    await world.add(['sms', '+48600000000'])
    await world.call('alice', 'PUT', `/groups/${world.groupId()}`, { name: 'BUY NOW' })
    const [english] = await world.delivered()
    expect(english?.serviceId).toBeNull()
    await world.call('alice', 'PUT', '/accounts/my_account', { language_id: 'pl' })
    await world.add()
    const [polish] = await world.delivered()
    expect(english?.text).toMatch(
      /^\d{8} is the code that confirms this address for notices from http:\/\/api\.test\. /,
    )
    expect(polish?.text).toMatch(/^\d{8} to kod, który potwierdza ten adres dla powiadomień z http:\/\/api\.test\. /)
    for (const message of [english, polish]) {
      expect(`${message?.subject} ${message?.text}`).not.toMatch(/BUY|alice|[{}]/)
    }
  })
})

describe('only who may change the address', () => {
  test('asks for codes and confirms: not a stranger, a reader or a read-only account', async () => {
    await world.call('alice', 'PUT', `/groups/${world.groupId()}/shares/${world.people.ids.bob}`, {
      can_modify_group: true,
    })
    await world.call('alice', 'PUT', `/groups/${world.groupId()}/shares/${world.people.ids.carol}`, {})
    const id = await world.add()
    const code = await world.arrivingCode()
    const people = ['charlie', 'carol', 'rita'] as const
    const statuses = async (ask: (person: Person) => Promise<Reply>) =>
      Promise.all(people.map(async (person) => (await ask(person)).status))
    expect(await statuses((person) => world.confirm(id, code, person))).toEqual([404, 403, 403])
    expect(await statuses((person) => world.order(id, person))).toEqual([404, 403, 403])
    expect(await world.isConfirmed(id)).toBe(false)
    expect((await world.confirm(id, code, 'bob')).status).toBe(204)
  })

  test('a refused guess of somebody else uses up no try', async () => {
    const id = await world.add()
    const code = await world.arrivingCode()
    for (let guess = 0; guess < 6; guess += 1) await world.confirm(id, '00000000', 'charlie')
    expect((await world.confirm(id, code)).status).toBe(204)
  })
})

describe('codes are counted', () => {
  const limit = (value: number) => [422, [['confirmation_code_limit_exceeded', undefined]], String(value)]
  async function answer(reply: Reply) {
    const [{ message }] = problemsOf(reply)
    return [reply.status, errorsOf(reply.body), /\d+/.exec(message)?.[0]]
  }
  /** Orders a code and has it sent, so often. */
  async function orderSent(id: number, times: number, person: Person = 'alice'): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      expect((await world.order(id, person)).status).toBe(204)
      expect(await world.delivered()).toHaveLength(1)
    }
  }
  const hour = 3_600_000

  test('five a day from one account to one destination, however it is written', async () => {
    const id = await world.add(['sms', '+48 600 000 000'])
    expect(await world.delivered()).toHaveLength(1)
    await orderSent(id, 3)
    const again = await world.add(['sms', '0048600000000'])
    expect(await world.delivered()).toHaveLength(1)
    world.clock.advance(2 * hour)
    for (const one of [id, again]) expect(await answer(await world.order(one))).toEqual(limit(5))
    world.clock.advance(22 * hour)
    expect((await world.order(again)).status).toBe(204)
  })

  test('five an hour to one destination from all accounts: strangers keep nobody from a telephone for longer', async () => {
    const theirs = await world.add(['sms', '48-600-000-000'], 'charlie')
    expect(await world.delivered()).toHaveLength(1)
    await orderSent(theirs, 4, 'charlie')
    const id = await world.add(['sms', '+48600000000'])
    expect(await answer(await world.order(id))).toEqual(limit(5))
    world.clock.advance(hour)
    await orderSent(id, 1)
  })

  test('others’ do not count for the e-mail address of the account itself', async () => {
    const mine: Place = ['email', 'alice+alarms@example.com']
    await world.database.execute(
      sql`update user_data set email_address = 'Alice@example.com' where id = ${world.people.ids.alice}`,
    )
    const theirs = await world.add(mine, 'charlie')
    expect(await world.delivered()).toHaveLength(1)
    await orderSent(theirs, 4, 'charlie')
    const id = await world.add(mine)
    expect(await world.delivered()).toHaveLength(1)
    await orderSent(id, 4)
    expect(await answer(await world.order(id))).toEqual(limit(5))
  })

  test('not when they were not sent: one that waits is not ordered anew, one that a change ended is none', async () => {
    const id = await world.add()
    for (let count = 0; count < 9; count += 1) expect((await world.order(id)).status).toBe(204)
    for (let count = 0; count < 9; count += 1) {
      await world.change(id, { address: 'bob@example.com' })
      await world.change(id, { address: 'alice@example.com' })
    }
    const messages = await world.delivered()
    expect(messages.map(({ address }) => address)).toEqual(['alice@example.com'])
    expect(await world.database.query(sql`select 1 from address_codes`)).toHaveLength(1)
    expect((await world.confirm(id, codeIn(messages[0]))).status).toBe(204)
  })

  test('twenty a day for one account; beyond them an address is made without a code, and the answer says so', async () => {
    const make = (index: number) =>
      world.call('alice', 'POST', '/notification_addresses', {
        ...{ group_id: world.groupId(), notification_channel_id: 'email', address: `a${index}@example.com` },
      })
    const replies = await Promise.all(Array.from({ length: 22 }, (_, index) => make(index)))
    const warned = (body: unknown) => (body as { warnings: { warning: string; field: string }[] }).warnings
    const ids = replies.map(({ body }) => idOf({ status: 201, body } as Reply))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    const silent = replies.filter(({ body }) => warned(body).length > 0)
    expect(silent.map(({ body }) => warned(body))).toEqual(
      Array(2).fill([expect.objectContaining({ warning: 'no_confirmation_code', field: 'address' })]),
    )
    expect(await world.delivered()).toHaveLength(20)
    expect(await Promise.all(ids.map(world.isConfirmed))).toEqual(ids.map(() => false))
    expect(await answer(await world.order(ids[0] ?? 0))).toEqual(limit(20))
    const last = idOf(silent[0] as Reply)
    const shown = await world.call('alice', 'GET', `${pathOf(last)}?fields=id,warnings`)
    expect(warned(shown.body)).toMatchObject([{ warning: 'no_confirmation_code' }])
    const changed = await world.change(last, { address: 'other@example.com' })
    expect([changed.status, changed.headers['latarnik-warning']]).toEqual([204, 'no_confirmation_code'])
    world.clock.advance(24 * hour)
    await orderSent(last, 1)
    expect(warned((await world.call('alice', 'GET', pathOf(last))).body)).toEqual([])
  })

  test('a code that a newer one replaced is no failure: the log says that nobody needs it', async () => {
    const id = await world.add()
    await world.change(id, { address: 'bob@example.com' })
    const lines: [string, string][] = []
    const say = (level: string) => (_facts: object, text: string) => lines.push([level, text])
    const log = { info: say('info'), warn: say('warn'), error: say('error') }
    expect(await world.delivered(sent, undefined, log)).toHaveLength(1)
    expect(lines.sort()).toEqual([
      ['info', 'a notification is not needed any more'],
      ['info', 'a notification was sent'],
    ])
  })

  test('not by removing the address or the account', async () => {
    for (let count = 0; count < 5; count += 1) {
      const id = await world.add()
      expect(await world.delivered()).toHaveLength(1)
      await world.call('alice', 'DELETE', pathOf(id))
    }
    await world.add()
    expect(await world.delivered()).toEqual([])
  })

  test('among the SMS of the day too: one too many fails, and the log says so', async () => {
    await world.add(['sms', '+48600000000'])
    await world.add(['sms', '+48600000001'])
    expect(await world.delivered(sent, 1)).toHaveLength(1)
    const rows = await world.database.query(sql`select status, error_message from notification_intents order by status`)
    expect(rows).toEqual([
      { status: 'failed', error_message: 'The account has sent as many SMS today (UTC) as it may: 1' },
      { status: 'sent', error_message: null },
    ])
  })

  test('no code goes to a channel that the package has lost', async () => {
    const id = await world.add(['sms', '+48600000000'], 'bob')
    await world.delivered()
    await givePackage(world, 'bob', { available_notification_channel_ids: ['email'] })
    expect(await answer(await world.order(id, 'bob'))).toEqual([422, [['channel_not_available', undefined]], undefined])
    await world.call('bob', 'PUT', pathOf(id), { address: '+48600000009' })
    expect(await world.delivered()).toEqual([])
  })
})

test('the code stands in the message alone: not in the API, the tables or what a gateway answers', async () => {
  const id = await world.add(['sms', '+48600000000'])
  const codes: string[] = []
  await world.delivered((message) => {
    codes.push(codeIn(message))
    return { status: 'failed', permanent: true, error: `no: ${message.text}` }
  })
  await world.order(id)
  codes.push(await world.arrivingCode())
  const shown = await Promise.all(
    [pathOf(id), '/accounts/my_account/logs/notifications'].map((url) => world.call('alice', 'GET', url)),
  )
  const stored = await world.database.query(sql`
    select row_to_json(i)::text as text from notification_intents i
    union all select row_to_json(c)::text from address_codes c`)
  expect(stored).toHaveLength(4)
  expect(codes).toEqual([expect.stringMatching(/^\d{8}$/), expect.stringMatching(/^\d{8}$/)])
  for (const code of codes) expect(JSON.stringify([shown.map(({ text }) => text), stored])).not.toContain(code)
  expect(JSON.stringify(stored)).toContain('no: … to kod')
})
