import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askingLimits } from '../../src/domain/status-pages/subscriber.ts'
import { idOf } from '../support/replies.ts'
import { pathOf, type SubscribingWorld, subscribingWorld } from '../support/subscribing.ts'

/** Subscribers as a file: exported, and imported within the limits of every other way. */

interface Report {
  readonly asked: number
  readonly added: number
  readonly present: number
  readonly refused: readonly { line: number; error: string; field?: string; message: string }[]
}

let world: SubscribingWorld
let slug: string
let pageId: number
let number = 0

beforeAll(async () => {
  world = await subscribingWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  number += 1
  slug = `files-${number}`
  await world.database.execute(sql`delete from status_page_subscribers`)
  await world.database.execute(sql`delete from login_failures`)
  pageId = await world.page(slug)
  world.mailbox.mails.length = 0
})

type Person = Parameters<SubscribingWorld['call']>[0]

const send = (csv: string, more: object = {}, person: Person = 'alice') =>
  world.call(person, 'POST', `/status_pages/${pageId}/subscribers/import`, { csv, ...more })

async function report(csv: string, more: object = {}): Promise<Report> {
  const { status, body, text } = await send(csv, more)
  expect([status, text]).toEqual([200, expect.any(String)])
  return body as Report
}

async function table(person: Person = 'alice') {
  const reply = await world.call(person, 'GET', `/status_pages/${pageId}/subscribers/export`)
  return { ...reply, lines: reply.text.split('\r\n') }
}

const recipients = () => world.mailbox.mails.flatMap(({ to }) => to).toSorted()

test('each address of a file is asked, is told nothing before its confirmation, and wrong rows are named', async () => {
  const shop = await world.component(pageId, 'Shop')
  const got = await report(
    [
      'email,kind,components',
      'anna@example.com,,',
      'bob@example.com,email,SHOP',
      'nobody,,',
      'carol@example.com,pigeon,',
      'dan@example.com,,Cellar',
      'x,web_push,',
      'hooks.slack.com/…,slack,',
      'ANNA@example.com,,',
      ',,',
      "=cmd|'/C calc'!A0@example.com,,",
      '-f@example.com,,',
    ].join('\n'),
  )
  expect(got).toMatchObject({ asked: 2, added: 0, present: 1 })
  expect(got.refused.map(({ line, error, field }) => [line, error, field])).toEqual([
    [4, 'incorrect_value', 'address'],
    [5, 'incorrect_value', 'kind'],
    [6, 'incorrect_value', 'components'],
    [7, 'incorrect_value', 'kind'],
    [8, expect.any(String), 'address'],
    [10, 'value_too_short', 'address'],
    [11, 'incorrect_value', 'address'],
    [12, 'incorrect_value', 'address'],
  ])
  expect(got.refused.every(({ message }) => message.length > 10)).toBe(true)
  await world.incident(pageId)
  await world.deliver()
  expect(recipients()).toEqual(['anna@example.com', 'bob@example.com'])
  expect(world.mailbox.mails.every(({ raw }) => !raw.includes('The shop is slow'))).toBe(true)
  expect((await world.send(pathOf(world.linksTo('bob@example.com')['confirm'] ?? ''), '')).status).toBe(200)
  const rows = await world.database.query(sql`
    select address, component_ids, confirmed_at is not null as is_confirmed from status_page_subscribers order by address`)
  expect(rows).toEqual([
    { address: 'anna@example.com', component_ids: [], is_confirmed: false },
    { address: 'bob@example.com', component_ids: [shop], is_confirmed: true },
  ])
})

test('the same file again changes nothing and sends nothing', async () => {
  const csv = 'anna@example.com\nbob@example.com'
  await report(csv)
  await world.deliver()
  expect(await report(csv)).toEqual({ asked: 0, added: 0, present: 2, refused: [] })
  await world.deliver()
  expect(recipients()).toEqual(['anna@example.com', 'bob@example.com'])
})

test('a file asks no more addresses than an owner may add in a day, and says which wait', async () => {
  const addresses = Array.from({ length: askingLimits.owner.most + 30 }, (_, one) => `reader${one}@example.com`)
  const csv = addresses.join('\n')
  const body = { status_page_id: pageId, kind: 'email', address: 'single@example.com' }
  expect((await world.call('alice', 'POST', '/status_page_subscribers', body)).status).toBe(201)
  const first = await report(csv)
  expect(first).toMatchObject({ asked: askingLimits.owner.most - 1, present: 0 })
  expect(first.refused).toHaveLength(31)
  expect(first.refused.every(({ error }) => error === 'confirmation_code_limit_exceeded')).toBe(true)
  expect((await report('another@example.com')).refused).toHaveLength(1)
  world.clock.advance(askingLimits.owner.windowMs)
  expect(await report(csv)).toMatchObject({ asked: 31, present: askingLimits.owner.most - 1, refused: [] })
})

test('a mailbox that was asked often enough is not asked by a file, and the others are', async () => {
  const other = await world.page(`${slug}-other`)
  for (let one = 0; one < askingLimits.address.most; one += 1) {
    const body = { status_page_id: other, kind: 'email', address: `victim+${one}@example.com` }
    expect((await world.call('alice', 'POST', '/status_page_subscribers', body)).status).toBe(201)
  }
  const got = await report('anna@example.com\nvictim+9@example.com\nbob@example.com')
  expect([got.asked, got.refused.map(({ line }) => line)]).toEqual([2, [2]])
})

test('with the consent that the operator lets an account declare, mailboxes are told at once, and told so', async () => {
  await world.subscribe(slug, 'here@example.com')
  await report('waits@example.com')
  await world.deliver()
  world.mailbox.mails.length = 0
  const csv = [
    'address,kind,state',
    'anna@example.com,email,confirmed',
    'here@example.com,email,confirmed',
    'waits@example.com,email,',
    'never@example.com,email,waiting',
    'gone@example.com,email,disabled',
    'https://hooks.example.com/status,webhook,confirmed',
  ].join('\r\n')
  const got = await report(csv, { has_consent: true })
  expect(got).toMatchObject({ asked: 2, added: 2, present: 1, refused: [{ line: 6, field: 'state' }] })
  await world.deliver([])
  expect(recipients()).toEqual(['anna@example.com', 'never@example.com', 'waits@example.com'])
  const subjects = world.mailbox.mails.map(({ to, parsed }) => [to[0], parsed.subject])
  expect(Object.fromEntries(subjects)).toMatchObject({
    'anna@example.com': 'Your subscription to a status page',
    'never@example.com': 'Confirm your subscription to a status page',
  })
  const { manage = '' } = world.linksTo('anna@example.com')
  expect((await world.open(pathOf(manage))).status).toBe(200)
  world.mailbox.mails.length = 0
  await world.incident(pageId)
  await world.deliver([])
  expect(recipients()).toEqual(['anna@example.com', 'here@example.com', 'waits@example.com'])
  const [, token = ''] = manage.split('token=')
  expect((await world.send(`/status/${slug}/subscribe/leave`, { token })).status).toBe(200)
  expect((await table()).text).not.toContain('anna@example.com')
})

test('an account that the operator does not name declares no consent', async () => {
  const page = { slug: `${slug}-c`, title: 'Other', language_id: 'en', time_zone_id: 'europe_warsaw' }
  pageId = idOf(await world.call('charlie', 'POST', '/status_pages', page))
  const refused = await send('anna@example.com', { has_consent: true }, 'charlie')
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('data.has_consent')])
  expect((await send('anna@example.com', {}, 'charlie')).body).toMatchObject({ asked: 1 })
})

test('a page takes no more than its bound by a file', async () => {
  await world.database.execute(sql`
    insert into status_page_subscribers (status_page_id, kind, address, address_digest, asked_at, confirmed_at, created_at)
    select ${pageId}::int, 'email', number::text, sha256(number::text::bytea), ${new Date(0)}, ${new Date(0)}, ${new Date(0)}
    from generate_series(1, 49999) number`)
  const got = await report('anna@example.com\nbob@example.com', { has_consent: true })
  expect(got).toMatchObject({ added: 1, refused: [{ line: 2, error: 'limit_exceeded' }] })
})

test('only those who may change the page import, and only those who may read it export', async () => {
  await world.subscribe(slug, 'secret.reader@example.com')
  for (const person of ['charlie', 'dora', null] as const) {
    const [sent, read] = [await send('anna@example.com', {}, person), await table(person)]
    expect([person, sent.status >= 401 && sent.status <= 404, read.status >= 401 && read.status <= 404]).toEqual([
      ...[person, true, true],
    ])
    expect(read.text).not.toContain('secret.reader')
  }
})

test.each([
  ['name\nAnna', 'subscriber_columns'],
  ['address\n"anna@example.com', 'subscriber_table'],
])('a file that is no table is refused as a whole: %j', async (csv) => {
  const { status, text } = await send(csv)
  expect([status, text]).toEqual([422, expect.stringContaining('data.csv')])
  expect((await table()).lines).toHaveLength(2)
})

test('the export has each subscriber with its choice and state, and no cell of it is a formula', async () => {
  const shop = await world.component(pageId, '=cmd|calc')
  await world.subscribe(slug, 'anna@example.com', [shop])
  await report('＋1+1@example.com\n+bob@example.com')
  await world.send(`/status/${slug}/subscribe`, {
    ...{ kind: 'webhook', address: 'https://hooks.example.com/very-secret', scope: 'all' },
  })
  const { headers, lines, text } = await table()
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${slug}-subscribers.csv"`,
  })
  expect(lines[0]).toBe('address,kind,component_ids,components,state,disabled_reason,created_at,confirmed_at')
  expect(lines[1]).toMatch(
    new RegExp(`^anna@example\\.com,email,${shop},"'=cmd\\|calc",confirmed,,2\\d{3}-[^,]+,2\\d{3}-[^,]+$`),
  )
  const marked = lines.slice(2, 4).map((line) => line.split(',')[0])
  expect(marked.toSorted()).toEqual([`"'+bob@example.com"`, `"'＋1+1@example.com"`])
  expect(lines[4]).toMatch(/^hooks\.example\.com\/…,webhook,,,waiting,,/)
  expect(text).not.toMatch(/very-secret|whsec/)
  // Another page reads the same addresses again; the hook has no secret part there.
  pageId = await world.page(`${slug}-copy`)
  await world.component(pageId, '=cmd|calc')
  const copied = await report(text.replaceAll(`,${shop},`, ',,'))
  expect(copied).toMatchObject({ asked: 3, refused: [{ line: 5, field: 'address' }] })
  const rows = await world.database.query<{ address: string }>(sql`
    select address from status_page_subscribers where status_page_id = ${pageId} order by address collate "C"`)
  expect(rows.map(({ address }) => address).toSorted()).toEqual(
    ['+bob@example.com', '＋1+1@example.com', 'anna@example.com'].toSorted(),
  )
})

test('a large page is exported whole, in its order', async () => {
  await world.database.execute(sql`
    insert into status_page_subscribers (status_page_id, kind, address, address_digest, asked_at, confirmed_at, created_at)
    select ${pageId}::int, 'email', 'reader' || number || '@example.com', sha256(number::text::bytea), ${new Date(0)}, ${new Date(0)},
      ${new Date(0)} from generate_series(1, 2500) number`)
  const { lines } = await table()
  expect(lines).toHaveLength(2502)
  expect([lines[1], lines[2500]].map((line) => line?.split(',')[0])).toEqual([
    ...['reader1@example.com', 'reader2500@example.com'],
  ])
})

test('the audit log tells of an import without its addresses', async () => {
  await report('secret.reader@example.com')
  const [record] = await world.database.query<{ object_id: string; row: string }>(sql`
    select object_id, row_to_json(log)::text as row from audit_log log
    where operation = 'status_pages.import_subscribers' order by id desc limit 1`)
  expect(record?.object_id).toBe(String(pageId))
  expect(record?.row).not.toContain('secret.reader')
})
