import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failureNotice, noticeCheck } from '../support/notices.ts'
import { newWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('a template that fails on what an event holds leaves the message as usual, and it goes', async () => {
  await world.database.execute(sql`
    insert into templates (owner_id, name, notification_channel_id, language_id, subject, body, is_active)
    select id, 'T', 'email', 'pl', 'S', 'B', true from accounts order by id limit 1`)
  // Written by a later release: this one has no name for what was kept.
  const kept: object = { artifact_ids: ['hologram'] }
  await world.intent({ facts: failureNotice({ checks: [{ ...noticeCheck(), ...kept }] }) })
  const notifier = await world.notifier()
  await notifier.drain()
  expect(world.mailbox.mails.map(({ parsed }) => parsed.subject)).toEqual(['Sklep: AWARIA: Połączenie odrzucone'])
  expect(await world.rows()).toMatchObject([{ status: 'sent', attempts: 1 }])
  expect(world.lines).toContainEqual({
    level: 'error',
    text: 'a template failed: the message is sent in its default wording',
  })
})
