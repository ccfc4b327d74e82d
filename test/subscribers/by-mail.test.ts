import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf } from '../support/replies.ts'
import { installation, pathOf, type SubscribingWorld, subscribingWorld } from '../support/subscribing.ts'

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
  slug = `shop-${number}`
  id = await world.page(slug)
  world.mailbox.mails.length = 0
  world.mailbox.manners.refuseRecipient = undefined
})

const mailsTo = (address: string) => world.mailbox.mails.filter(({ to }) => to.includes(address))
const subjectsTo = (address: string) => mailsTo(address).map(({ parsed }) => parsed.subject)
const ask = (form: Record<string, string>, from?: string) => world.send(`/status/${slug}/subscribe`, form, from)
const byMail = (address: string) => ask({ kind: 'email', address, scope: 'all' })

async function subscribers(): Promise<readonly Record<string, unknown>[]> {
  const { body } = await world.call('alice', 'GET', `/status_pages/${id}/subscribers`)
  return body as Record<string, unknown>[]
}

describe('a visitor', () => {
  test('subscribes, confirms by a button, is told of all that happens, and leaves', async () => {
    const page = await world.open(`/status/${slug}`)
    expect(page.text).toContain(`/status/${slug}/subscribe"`)
    const form = await world.open(`/status/${slug}/subscribe`)
    expect(form.status).toBe(200)
    expect(form.text).not.toContain('<script')
    expect(form.headers['content-security-policy']).toBe(page.headers['content-security-policy'])
    expect((await byMail('emma@example.com')).status).toBe(200)
    await world.deliver()
    const { confirm = '' } = world.linksTo('emma@example.com')
    expect(confirm).toMatch(`${installation}/status/${slug}/subscribe/confirm?token=`)
    // A mail scanner follows the link.
    expect((await world.open(pathOf(confirm))).text).toContain('<form method="post"')
    expect(await subscribers()).toMatchObject([{ address: 'emma@example.com', is_confirmed: false }])
    expect((await world.send(pathOf(confirm), '')).text).toContain('You are subscribed')
    expect(await subscribers()).toMatchObject([{ is_confirmed: true, disabled_reason: null }])
    const incident = await world.incident(id, { name: 'Slow <shop>' })
    await world.update(incident, 'identified', 'A disk is full.')
    await world.update(incident, 'resolved', 'We added one.')
    await world.deliver()
    expect(subjectsTo('emma@example.com').slice(1)).toEqual([
      '[Shop status] Slow <shop>: Investigating',
      '[Shop status] Slow <shop>: Identified',
      '[Shop status] Slow <shop>: Resolved',
    ])
    const path = `/status/${slug}/incidents/${incident}.html`
    for (const { parsed } of mailsTo('emma@example.com').slice(1))
      expect(parsed.text).toContain(`\n${installation}${path}\n`)
    world.clock.advance(31_000)
    expect((await world.open(path)).text).toContain('Slow &lt;shop&gt;')
    const raw = mailsTo('emma@example.com').at(-1)?.raw ?? ''
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const [, url = ''] = /List-Unsubscribe:\s+<([^>]+)>/.exec(raw) ?? []
    expect((await world.open(pathOf(url))).text).toContain('<form method="post"')
    expect(await subscribers()).toHaveLength(1)
    expect((await world.send(pathOf(url), 'List-Unsubscribe=One-Click')).status).toBe(200)
    expect(await subscribers()).toEqual([])
    const kept = await world.database.query(sql`select 1 from messages where subscriber_id is not null`)
    expect(kept).toEqual([])
    expect((await world.open(pathOf(url))).status).toBe(404)
  })

  test('hears only of the chosen components, and changes the choice by a link', async () => {
    const [shop, cellar] = [await world.component(id, 'Shop'), await world.component(id, 'Cellar')]
    world.clock.advance(31_000)
    const manage = await world.subscribe(slug, 'bob@example.com', [shop])
    await world.incident(id, { name: 'Cellar wet', component_ids: [cellar] })
    await world.incident(id, { name: 'Shop shut', component_ids: [shop] })
    await world.incident(id, { name: 'All of it' })
    await world.deliver()
    expect(subjectsTo('bob@example.com').slice(1)).toEqual([
      '[Shop status] Shop shut: Investigating',
      '[Shop status] All of it: Investigating',
    ])
    const [path = '', token = ''] = manage.split('?token=')
    const saved = await world.send(path, { token, scope: 'some', component: String(cellar) })
    expect(saved.text).toContain('The choice is saved.')
    await world.incident(id, { name: 'Cellar dry', component_ids: [cellar] })
    await world.deliver()
    expect(subjectsTo('bob@example.com').at(-1)).toBe('[Shop status] Cellar dry: Investigating')
    expect((await world.send(path, { token, scope: 'some' })).status).toBe(422)
  })

  test('hears when maintenance is planned, begins and ends, once each', async () => {
    await world.subscribe(slug, 'carl@example.com')
    const at = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toISOString()
    await world.incident(id, {
      ...{ name: 'New disks', is_maintenance: true, scheduled_for: at(600), scheduled_until: at(1200) },
    })
    await world.deliver()
    await world.deliver()
    world.clock.advance(601_000)
    await world.deliver()
    await world.deliver()
    world.clock.advance(601_000)
    await world.deliver()
    await world.deliver()
    expect(subjectsTo('carl@example.com').slice(1)).toEqual([
      '[Shop status] New disks: Scheduled',
      '[Shop status] New disks: In progress',
      '[Shop status] New disks: Completed',
    ])
  })
})

describe('an address', () => {
  test('gets one message to confirm, and the answer is the same whether it is known or not', async () => {
    await world.subscribe(slug, 'known@example.com')
    const answers = [
      await byMail('known@example.com'),
      await byMail('new@example.com'),
      await byMail('new@example.com'),
      await byMail('KNOWN@example.com'),
    ]
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    await world.deliver()
    expect(mailsTo('known@example.com')).toHaveLength(1)
    expect(mailsTo('new@example.com')).toHaveLength(1)
  })

  test('cannot carry a header or a second recipient', async () => {
    const hostile = [
      'a@example.com\r\nBcc: b@example.com',
      'a@example.com, b@example.com',
      '<a@example.com>',
      'a b@c.d',
      '',
    ]
    for (const address of hostile) expect((await byMail(address)).status, address).toBe(422)
    expect(await subscribers()).toEqual([])
  })

  test('that refuses mail for good is switched off, and the owner sees why', async () => {
    await world.subscribe(slug, 'gone@example.com')
    world.mailbox.manners.refuseRecipient = () => '550 5.1.1 <gone@example.com> is unknown'
    await world.incident(id)
    await world.deliver()
    const [row] = await subscribers()
    expect(row).toMatchObject({ is_confirmed: true, disabled_reason: expect.stringContaining('5.1.1') })
    world.mailbox.manners.refuseRecipient = undefined
    const before = mailsTo('gone@example.com').length
    await world.incident(id)
    await world.deliver()
    expect(mailsTo('gone@example.com')).toHaveLength(before)
  })

  test('that nobody confirms has a link for three days', async () => {
    await byMail('late@example.com')
    await world.deliver()
    const { confirm = '' } = world.linksTo('late@example.com')
    world.clock.advance(3 * 86_400_000)
    expect((await world.open(pathOf(confirm))).status).toBe(404)
    expect((await world.send(pathOf(confirm), '')).status).toBe(404)
  })
})

describe('the owner', () => {
  test('adds an address, which must be confirmed all the same, and removes it', async () => {
    const added = { status_page_id: id, kind: 'email', address: 'dora@example.com' }
    const made = idOf(await world.call('alice', 'POST', '/status_page_subscribers', added))
    expect((await world.call('alice', 'POST', '/status_page_subscribers', added)).status).toBe(422)
    await world.incident(id)
    await world.deliver()
    expect(subjectsTo('dora@example.com')).toEqual(['Confirm your subscription to a status page'])
    await world.send(pathOf(world.linksTo('dora@example.com')['confirm'] ?? ''), '')
    await world.incident(id, { name: 'Next' })
    await world.call('alice', 'DELETE', `/status_page_subscribers/${made}`)
    await world.deliver()
    expect(subjectsTo('dora@example.com')).toHaveLength(1)
  })

  test('is the only one who sees addresses', async () => {
    const made = idOf(
      await world.call('alice', 'POST', '/status_page_subscribers', {
        ...{ status_page_id: id, kind: 'email', address: 'hidden@example.com' },
      }),
    )
    expect((await world.call('charlie', 'GET', `/status_page_subscribers/${made}`)).status).toBe(404)
    expect((await world.call('charlie', 'GET', '/status_page_subscribers')).text).not.toContain('hidden@example.com')
    const refused = await world.call('charlie', 'POST', '/status_page_subscribers', {
      ...{ status_page_id: id, kind: 'email', address: 'mine@example.com' },
    })
    expect(refused.status).toBe(422)
    for (const path of ['', '/subscribe', '/api/v2/summary.json']) {
      expect((await world.open(`/status/${slug}${path}`)).text).not.toContain('hidden@example.com')
    }
  })

  test('cannot put own words into the message to a stranger', async () => {
    await world.call('alice', 'PUT', `/status_pages/${id}`, { title: 'Your bank: call 555' })
    world.clock.advance(31_000)
    await byMail('stranger@example.com')
    await world.deliver()
    expect(mailsTo('stranger@example.com')[0]?.raw).not.toContain('Your bank')
  })
})
