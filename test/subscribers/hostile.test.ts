import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { integrationTransport } from '../../src/channels/integration-transport.ts'
import { askAgainAfter, askingLimits, unconfirmedLife } from '../../src/domain/status-pages/subscriber.ts'
import { subscriberHooksBy } from '../../src/notifications/subscriber-messages.ts'
import { readSubscriberKey } from '../../src/outbox/subscriber-links.ts'
import { isPageFull } from '../../src/outbox/subscribers.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
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

test('the link to confirm ends three days after the confirmation, whoever asks for the address again', async () => {
  await byMail('emma@example.com')
  await world.deliver()
  const confirm = pathOf(world.linksTo('emma@example.com')['confirm'] ?? '')
  expect((await world.send(confirm, '')).status).toBe(200)
  expect((await world.send(confirm, '')).status).toBe(200)
  world.clock.advance(unconfirmedLife - 1)
  await byMail('emma@example.com')
  expect((await world.open(confirm)).status).toBe(200)
  world.clock.advance(1)
  expect((await world.open(confirm)).status).toBe(404)
  const answer = await world.send(confirm, '')
  expect(answer.status).toBe(404)
  expect(answer.text).not.toContain('subscribe/manage')
  await world.deliver()
  const manage = pathOf(world.linksTo('emma@example.com')['manage'] ?? '')
  expect((await world.open(manage)).status).toBe(200)
})

test('addresses that nobody confirms have a cap of their own', async () => {
  const waiting = { pageId: id, most: { confirmed: 1, waiting: 2 } }
  const isFull = () => isPageFull(world.database, waiting.pageId, waiting.most)
  await byMail('one@example.com')
  expect(await isFull()).toBe(false)
  await byMail('two@example.com')
  expect(await isFull()).toBe(true)
  await world.database.execute(sql`delete from status_page_subscribers where status_page_id = ${id}`)
  await world.subscribe(slug, 'three@example.com')
  expect(await isFull()).toBe(true)
  expect(await isPageFull(world.database, id, { confirmed: 2, waiting: 1 })).toBe(false)
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

test.each([
  ['password', { password: 'open sesame' }],
  ['link', {}],
  ['login', {}],
  ['addresses', { allowed_addresses: ['192.0.2.0/24'] }],
])('a page behind %s answers strangers below subscribe as one that does not exist', async (access, more) => {
  const manage = await world.subscribe(slug, 'emma@example.com')
  const theme = { accent: '#bb2244' }
  const put = await world.call('alice', 'PUT', `/status_pages/${id}`, { access, language_id: 'pl', theme, ...more })
  expect(put.status).toBe(204)
  world.clock.advance(31_000)
  const shown = ['', '/browser', '/browser.js', '/worker.js', '/confirm', '/manage', '/leave', '/other']
  const answers = async (of: string, path: string) => {
    const places = ['', '?token=x', `?token=${manage.split('token=')[1]?.slice(0, -1)}x`]
    const opened = await Promise.all(places.map((query) => world.open(`/status/${of}/subscribe${path}${query}`)))
    const sent = await Promise.all(
      places.map((query) => world.send(`/status/${of}/subscribe${path}${query}`, 'token=x', '198.51.100.7')),
    )
    return [...opened, ...sent].map(({ status, text, headers: { date: _date, 'x-request-id': _id, ...headers } }) => ({
      ...{ status, text, headers },
    }))
  }
  for (const path of shown) {
    const hidden = await answers(slug, path)
    expect([path, hidden]).toEqual([path, await answers('there-is-none', path)])
    expect(hidden.every(({ status }) => status === 404)).toBe(true)
  }
  // The holder of a link may leave.
  expect((await world.open(manage)).status).toBe(200)
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

test('hooks of an account with too many under way wait, and those of the others go', async () => {
  const other = `${slug}-other`
  const page = { slug: other, title: 'Other', language_id: 'en', time_zone_id: 'europe_warsaw' }
  expect((await world.call('charlie', 'POST', '/status_pages', page)).status).toBe(201)
  const byHook = (at: string, address: string) =>
    world.send(`/status/${at}/subscribe`, { kind: 'webhook', address, scope: 'all' })
  for (let one = 0; one < 5; one += 1) await byHook(slug, `https://slow-${one}.example.com/hook`)
  await byHook(other, 'https://fast.example.com/hook')
  const { database, clock } = world
  const key = () => readSubscriberKey(database)
  const transport = integrationTransport({
    clock: { now: () => Date.now() },
    dialler: createDialler({ allow: [] }),
    vendorUrls: new Map(),
  })
  const claim = subscriberHooksBy({ database, clock, publicUrl: 'https://watch.example.com', key }, transport)
  const request = { now: clock.now(), heldBy: null, limit: 10 }
  const avoiding = { destinations: [], accountIds: [world.people.ids.alice] }
  const first = await claim({ ...request, avoiding })
  expect(first.map(({ goesTo }) => goesTo?.destination)).toEqual([expect.stringMatching(/^fast\.example\.com page/)])
  expect(await claim(request)).toHaveLength(5)
})
