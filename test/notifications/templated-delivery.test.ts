import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
})
afterEach(async () => {
  await world.reset()
  await world.database.execute(sql`delete from templates`)
})
afterAll(() => world.close())

/** Of the account that `world.intent` tells, whose language is Polish. */
const given = (subject: string, body: string, language = 'pl') =>
  world.database.execute(sql`
    insert into templates (owner_id, name, notification_channel_id, language_id, subject, body, is_active)
    select id, 'T', 'email', ${language}, ${subject}, ${body}, true from accounts order by id limit 1`)

async function delivered() {
  await world.intent()
  const notifier = await world.notifier()
  await notifier.drain()
  expect(world.mailbox.mails).toHaveLength(1)
  return world.mailbox.mails[0]?.parsed
}

test('a mail is worded by the template of its account, in text and HTML', async () => {
  await given('Uwaga: {{service.name}}', '{{reason}} o {{clock start_time}} <i>\n{{service.url}}')
  const mail = await delivered()
  expect(mail?.subject).toBe('Uwaga: Sklep')
  expect(mail?.text?.trim()).toBe('Połączenie odrzucone o 12:13:00 <i>\nhttps://watch.example.com/services/12')
  if (mail?.html !== false) expect(mail?.html).not.toContain('<i>')
  expect(await world.rows()).toMatchObject([{ status: 'sent', subject: 'Uwaga: Sklep' }])
})

test.each([
  ['that cannot be read', '{{#if', '{{#each checks}}', 'pl'],
  ['that names what there is no more', '{{gone.variable}}', '{{gone.variable}}', 'pl'],
  ['of another language', 'Look', 'Look', 'en'],
])('a template %s leaves the message as usual, and it goes', async (...[, subject, body, language]) => {
  await given(subject, body, language)
  const mail = await delivered()
  expect(mail?.subject).toBe('Sklep: AWARIA: Połączenie odrzucone')
  expect(mail?.text).toContain('Przedtem: działała od 2026-11-20 12:13:00 +01:00')
})
