import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NoticeFacts } from '../../src/domain/notification/notice.ts'
import { eventOf } from '../../src/notifications/event.ts'
import { wordNotice } from '../../src/notifications/message.ts'
import type { Reader } from '../../src/notifications/reader.ts'
import { type DecidedNotice, writeIntents } from '../../src/outbox/intents.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { failureNotice } from '../support/notices.ts'
import { idOf } from '../support/replies.ts'

/** Two databases on one host differ in their ports alone. */
let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

const reader: Reader = {
  ...{ language: 'en', zone: 'UTC', publicUrl: 'https://watch.example.com/', diagnose: () => null },
}

test.each([
  ['postgresql', 5433, 'postgresql://db.example.com:5433'],
  ['postgresql', 5432, 'postgresql://db.example.com'],
  ['postgresql', undefined, 'postgresql://db.example.com'],
  ['redis', 23_130, 'redis://db.example.com:23130'],
])('a mail about %s with the port %s names %s', (type_id, port, address) => {
  const service = {
    id: 12,
    name: 'Orders',
    address: 'db.example.com',
    type_id,
    ...(port === undefined ? {} : { port }),
  }
  const facts = failureNotice({ service })
  expect(wordNotice(facts, 'email', reader).text.split('\n')[1]).toBe(address)
  // Programs get the port beside the address, which stays as the API has it.
  const shown = address.endsWith('.com') ? null : port
  const told = { id: 12, address: 'db.example.com', port: shown }
  const { content = '' } = wordNotice(facts, 'email_dedicated', reader).attachment ?? {}
  expect(JSON.parse(String(content))).toMatchObject({ service: told })
  const words = { subject: 'Orders', text: '', attachment: null }
  expect(eventOf(facts, words, reader.publicUrl)?.data.service).toMatchObject(told)
})

test('the port comes with the event, and is absent where the service has none of its own', async () => {
  const facts: NoticeFacts[] = []
  for (const [changeId, settings] of [
    [10, { port: 5433 }],
    [20, {}],
  ] as const) {
    const service = { type_id: 'postgresql', address: 'db.example.com', name: 'Orders', extended_settings: settings }
    const serviceId = idOf(
      await world.call('alice', 'POST', '/services', { ...service, notification_channel_ids: ['email'] }),
    )
    const { body } = await world.call('alice', 'GET', `/services/${serviceId}?fields=group_id`)
    const { group_id } = body as { readonly group_id: number }
    await world.database.execute(sql`
      insert into notification_addresses (group_id, notification_channel_id, address)
      values (${group_id}, 'email', ${`ops-${changeId}@example.com`})`)
    const at = world.clock.now()
    const change = { changeId, state: 'failure', startedAt: at } as const
    await world.database.execute(sql`
      insert into status_changes (service_id, change_id, status, start_time)
      values (${serviceId}, ${changeId}, 'failure', ${new Date(at)})`)
    const notice: DecidedNotice = {
      ...{ serviceId, event: { condition: 'failure', eventId: `failure:${changeId}` }, change, decidedAt: at },
      ...{ analysisId: null, checks: [], pauseReason: null },
    }
    await world.database.transaction((transaction) => writeIntents(transaction, [notice], at))
    const [row] = await world.database.query<{ facts: NoticeFacts }>(
      sql`select facts from notification_intents where service_id = ${serviceId} limit 1`,
    )
    if (row !== undefined) facts.push(row.facts)
  }
  expect(facts.map(({ service: { port } }) => port)).toEqual([5433, undefined])
})
