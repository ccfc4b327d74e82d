import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askAgainAfter, askingLimits } from '../../src/domain/subscriber.ts'
import { pathOf, type SubscribingWorld, subscribingWorld } from '../support/subscribing.ts'

let world: SubscribingWorld
let slug: string
let id: number
let number = 0

beforeAll(async () => {
  world = await subscribingWorld()
  await world.database.execute(sql`delete from status_page_subscribers`)
})
afterAll(() => world.drop())

beforeEach(async () => {
  number += 1
  slug = `hostile-${number}`
  id = await world.page(slug)
  world.mailbox.mails.length = 0
  await world.database.execute(sql`delete from login_failures`)
})

const byMail = (address: string, from?: string) =>
  world.send(`/status/${slug}/subscribe`, { kind: 'email', address, scope: 'all' }, from)

test('a network that asks too often waits; others do not', async () => {
  const answers = []
  for (let one = 0; one < 12; one += 1) answers.push(await byMail(`victim-${one}@example.com`, '203.0.113.9'))
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  expect(Number(answers[11]?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await byMail('other@example.com', '203.0.113.10')).status).toBe(200)
  await world.deliver()
  expect(world.mailbox.mails).toHaveLength(11)
})

test('parallel requests keep the limit of their network', async () => {
  const asked = Array.from({ length: 40 }, (_, one) => byMail(`victim-${one}@example.com`, '203.0.113.11'))
  const answers = await Promise.all(asked)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  await world.deliver()
})

test('an owner adds a limited number of addresses a day, and asks a mailbox five times, whatever its spelling', async () => {
  const add = (address: string) =>
    world.call('alice', 'POST', '/status_page_subscribers', { status_page_id: id, kind: 'email', address })
  for (let one = 0; one < 8; one += 1) {
    expect((await add(`victim+${one}@example.com`)).status).toBe(one < 5 ? 201 : 422)
  }
  await world.deliver()
  expect(world.mailbox.mails.filter(({ to }) => to.some((one) => /^victim\+\d@/.test(one)))).toHaveLength(5)
  await world.database.execute(sql`update login_failures set failures = ${askingLimits.owner.most} where failures = 5`)
  const refused = await add('another@example.com')
  expect(refused.status).toBe(422)
  expect(refused.text).toContain(`${askingLimits.owner.most}`)
  world.clock.advance(askingLimits.owner.windowMs)
  expect((await add('another@example.com')).status).toBe(201)
  await world.deliver()
})

test('a mailbox gets five questions a day at most, whatever the pages, the networks and the spelling', async () => {
  const texts = new Set<string>()
  for (let one = 0; one < 8; one += 1) {
    slug = `bomb-${number}-${one}`
    await world.page(slug)
    const { status, text } = await byMail(`${one % 2 === 0 ? 'Victim' : `victim+${one}`}@example.com`)
    expect(status).toBe(200)
    texts.add(text.replaceAll(slug, ''))
  }
  await world.deliver()
  expect(world.mailbox.mails).toHaveLength(5)
  expect(texts.size).toBe(1)
})

test('an address that did not confirm is asked again after an hour, and not before', async () => {
  for (let one = 0; one < 3; one += 1) await byMail('slow@example.com')
  await world.deliver()
  expect(world.mailbox.mails).toHaveLength(1)
  world.clock.advance(askAgainAfter)
  await byMail('slow@example.com')
  await world.deliver()
  expect(world.mailbox.mails).toHaveLength(2)
})

test('tokens are not guessed, and none opens another door', async () => {
  await byMail('emma@example.com')
  await world.deliver()
  const confirm = pathOf(world.linksTo('emma@example.com')['confirm'] ?? '')
  const [, token = ''] = confirm.split('token=')
  const [own = '', signature = ''] = token.split('.')
  const next = (Number.parseInt(own, 36) + 1).toString(36)
  const wrong = [
    `${next}.${signature}`,
    `${own}.${'A'.repeat(22)}`,
    own,
    '',
    `${own}.${signature}x`,
    'zzzzzzzzz.x',
    `${token}%00`,
  ]
  for (const one of wrong) {
    for (const path of ['confirm', 'manage', 'leave']) {
      expect((await world.open(`/status/${slug}/subscribe/${path}?token=${one}`)).status, `${path} ${one}`).toBe(404)
      expect((await world.send(`/status/${slug}/subscribe/${path}`, { token: one })).status, `${path} ${one}`).toBe(404)
    }
  }
  // The link that confirms neither changes nor leaves, and works on its own page alone.
  for (const path of ['manage', 'leave']) {
    expect((await world.send(`/status/${slug}/subscribe/${path}`, { token })).status).toBe(404)
  }
  const other = `${slug}-b`
  await world.page(other)
  expect((await world.send(confirm.replace(slug, other), '')).status).toBe(404)
  expect((await world.send(confirm, '')).status).toBe(200)
})

test('only those who may see a page may subscribe; leaving needs the link alone', async () => {
  const manage = await world.subscribe(slug, 'emma@example.com')
  const secret = await world.component(id, 'Secret project')
  await world.call('alice', 'PUT', `/status_pages/${id}`, { access: 'password', password: 'open sesame' })
  world.clock.advance(31_000)
  expect((await world.open(`/status/${slug}/subscribe`)).status).toBe(404)
  expect((await byMail('mallory@example.com')).status).toBe(404)
  expect((await world.open(`/status/${slug}/subscribe/browser`)).status).toBe(404)
  const shown = await world.open(manage)
  expect(shown.status).toBe(200)
  expect(shown.text).not.toContain('Secret project')
  const [, token = ''] = manage.split('token=')
  const changed = { token, scope: 'some', component: String(secret) }
  expect((await world.send(`/status/${slug}/subscribe/manage`, changed)).status).toBe(404)
  expect((await world.send(`/status/${slug}/subscribe/leave`, { token })).status).toBe(200)
  await world.call('alice', 'PUT', `/status_pages/${id}`, { access: 'addresses', allowed_addresses: ['192.0.2.0/24'] })
  world.clock.advance(31_000)
  expect((await byMail('inside@example.com', '192.0.2.7')).status).toBe(200)
  expect((await byMail('outside@example.com', '198.51.100.7')).status).toBe(404)
})

test('what people write is text in the mail and on the pages', async () => {
  await world.call('alice', 'PUT', `/status_pages/${id}`, { title: '<img src=x> & Sons' })
  world.clock.advance(31_000)
  await world.subscribe(slug, 'emma@example.com')
  const incident = await world.incident(id, { name: '<b>Slow</b>' })
  await world.update(incident, 'identified', 'Line\r\n<script>alert(1)</script>')
  await world.deliver()
  const mail = world.mailbox.mails.at(-1)
  expect(mail?.parsed.html).not.toMatch(/<(b|script|img)\b/)
  expect(mail?.parsed.subject).toBe('[<img src=x> & Sons] <b>Slow</b>: Identified')
  expect((await world.open(`/status/${slug}/subscribe`)).text).not.toContain('<img src=x>')
  const form = await byMail('"><script>alert(1)</script>')
  expect(form.status).toBe(422)
  expect(form.text).not.toContain('<script>')
})

test('a blocked owner tells nobody', async () => {
  await world.subscribe(slug, 'emma@example.com')
  const before = world.mailbox.mails.length
  await world.incident(id)
  await world.database.execute(sql`update accounts set is_blocked = true where id = ${world.people.ids.alice}`)
  await world.deliver()
  await world.database.execute(sql`update accounts set is_blocked = false where id = ${world.people.ids.alice}`)
  await world.deliver()
  expect(world.mailbox.mails).toHaveLength(before)
})

test('messages that wait when their owner is blocked are never sent', async () => {
  await byMail('emma@example.com')
  await world.database.execute(sql`update accounts set is_blocked = true where id = ${world.people.ids.alice}`)
  await world.deliver()
  await world.database.execute(sql`update accounts set is_blocked = false where id = ${world.people.ids.alice}`)
  await world.deliver()
  expect(world.mailbox.mails).toEqual([])
})
