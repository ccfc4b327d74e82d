import { createECDH, createHmac, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readPush } from '../support/push-receiver.ts'
import { idOf } from '../support/replies.ts'
import { pathOf, type SubscribingWorld, subscribingWorld } from '../support/subscribing.ts'

interface Heard {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

let world: SubscribingWorld
let hook: Server
let place: string
let heard: Heard[] = []
/** The answer of the far end. */
let answer: (body: string) => { readonly status: number; readonly text: string }
let slug: string
let id: number
let number = 0

const challengeOf = (body: string) => JSON.parse(body).data.challenge
const repeats = (body: string) => ({ status: 200, text: JSON.stringify({ challenge: challengeOf(body) }) })
const takes = () => ({ status: 200, text: 'ok' })

beforeAll(async () => {
  world = await subscribingWorld()
  await world.database.execute(sql`delete from status_page_subscribers`)
  hook = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      heard.push({ path: request.url ?? '', headers: request.headers, body })
      const { status, text } = answer(body.toString())
      response.writeHead(status).end(text)
    })
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  place = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`
})
afterAll(async () => {
  hook.close()
  await world.drop()
})

beforeEach(async () => {
  number += 1
  slug = `hooks-${number}`
  id = await world.page(slug)
  heard = []
  answer = takes
})

const ask = (form: Record<string, string>) => world.send(`/status/${slug}/subscribe`, { scope: 'all', ...form })
const bodies = () => heard.map(({ body }) => JSON.parse(body.toString()))

async function only(): Promise<Record<string, unknown>> {
  const { body } = await world.call('alice', 'GET', `/status_pages/${id}/subscribers`)
  return (body as Record<string, unknown>[])[0] ?? {}
}

/** As a receiver of Standard Webhooks does. */
function isSigned({ headers, body }: Heard, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body.toString()}`
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

describe('a webhook', () => {
  test('counts once it repeated the challenge; its requests are signed with the secret that the visitor saw', async () => {
    answer = repeats
    const asked = await ask({ kind: 'webhook', address: `${place}/status` })
    const [secret = ''] = /whsec_[A-Za-z0-9+/=]+/.exec(asked.text) ?? []
    expect(await only()).toMatchObject({ kind: 'webhook', is_confirmed: false })
    await world.deliver()
    expect(bodies()[0]).toMatchObject({ type: 'subscription.challenge', data: { secret } })
    expect(await only()).toMatchObject({ is_confirmed: true })
    answer = takes
    const incident = await world.incident(id, { name: 'Slow' })
    await world.update(incident, 'resolved', 'Done.')
    await world.deliver()
    expect(bodies().map(({ type }) => type)).toEqual([
      'subscription.challenge',
      'incident.published',
      'incident.resolved',
    ])
    expect(heard.every((one) => isSigned(one, secret))).toBe(true)
    expect(bodies()[2].data.incident).toMatchObject({ name: 'Slow', status: 'resolved', update: { body: 'Done.' } })
    const left = await world.send(pathOf(bodies()[2].data.subscription.change_url).replace('manage', 'leave'), '')
    expect(left.status).toBe(200)
    expect(await only()).toEqual({})
  })

  test.each([
    ['takes everything', () => ({ status: 200, text: 'ok' })],
    ['echoes everything', (body: string) => ({ status: 200, text: body })],
    ['repeats another one', () => ({ status: 200, text: '{"challenge": "1.aaaaaaaaaaaaaaaaaaaaaa"}' })],
    ['is not there', () => ({ status: 404, text: '' })],
  ])('that %s is told nothing', async (_name, answers) => {
    answer = answers
    await ask({ kind: 'webhook', address: `${place}/status` })
    await world.deliver()
    await world.incident(id)
    await world.deliver()
    expect(heard).toHaveLength(1)
    expect(await only()).toMatchObject({ is_confirmed: false, disabled_reason: expect.any(String) })
  })

  test('that is gone later is switched off', async () => {
    answer = repeats
    await ask({ kind: 'webhook', address: `${place}/gone` })
    await world.deliver()
    answer = () => ({ status: 410, text: '' })
    await world.incident(id)
    await world.deliver()
    expect(await only()).toMatchObject({ is_confirmed: true, disabled_reason: expect.stringContaining('410') })
  })

  test('at a private address is never dialled, not for the challenge and not later, whatever users may dial', async () => {
    const asked = await ask({ kind: 'webhook', address: `${place}/inside` })
    expect(asked.text).toContain('If the URL leads to a public server, it now gets a request')
    await world.deliver(null)
    expect(heard).toEqual([])
    expect(await only()).toMatchObject({
      is_confirmed: false,
      disabled_reason: expect.stringContaining('not a public one'),
    })
    await world.call('alice', 'DELETE', `/status_page_subscribers/${(await only())['id']}`)
    answer = repeats
    await ask({ kind: 'webhook', address: `${place}/inside` })
    await world.deliver()
    await world.incident(id)
    await world.deliver(null)
    expect(heard).toHaveLength(1)
    expect(await only()).toMatchObject({ disabled_reason: expect.stringContaining('not a public one') })
  })

  test('of a visitor is shown to the owner by its host alone, also in what it answers', async () => {
    answer = () => ({ status: 404, text: 'Cannot POST /hooks/0123456789abcdef' })
    await ask({ kind: 'webhook', address: `${place}/hooks/0123456789abcdef` })
    await world.deliver()
    expect(await only()).toMatchObject({
      address: `${new URL(place).host}/…`,
      disabled_reason: expect.stringContaining('404'),
    })
    const { text } = await world.call('alice', 'GET', `/status_pages/${id}/subscribers`)
    expect(text).not.toContain('0123456789abcdef')
    const own = { status_page_id: id, kind: 'webhook', address: `${place}/hooks/own` }
    const added = idOf(await world.call('alice', 'POST', '/status_page_subscribers', own))
    expect((await world.call('alice', 'GET', `/status_page_subscribers/${added}`)).text).toContain('/hooks/own')
  })

  test('shows its visitor one state, whatever stands at the address', async () => {
    const shown = async (path: string, allow: 'all' | null) => {
      const { text } = await ask({ kind: 'webhook', address: `${place}/${path}` })
      const [, manage = ''] = /href="([^"]*subscribe\/manage[^"]*)"/.exec(text) ?? []
      const before = await world.open(manage)
      await world.deliver(allow)
      const after = await world.open(manage)
      expect(after.text).toBe(before.text)
      expect(after.text).toContain('It is not confirmed yet')
      const [, token = ''] = manage.split('token=')
      return after.text.replaceAll(token, '').replaceAll(path, '')
    }
    const refused = await shown('way-a', null)
    const takenWithoutChallenge = await shown('way-b', 'all')
    answer = () => ({ status: 404, text: '' })
    expect(new Set([refused, takenWithoutChallenge, await shown('way-c', 'all')]).size).toBe(1)
  })

  test('asked twice has one subscription, with the secret of the first', async () => {
    answer = repeats
    await ask({ kind: 'webhook', address: `${place}/twice` })
    await world.deliver()
    const first = await only()
    await ask({ kind: 'webhook', address: `${place}/twice` })
    await world.deliver()
    const { body } = await world.call('alice', 'GET', `/status_pages/${id}/subscribers`)
    expect(body).toEqual([first])
  })
})

test('a chat channel is asked by a link, and its URL is shown without the secret', async () => {
  await ask({ kind: 'teams', address: `https://flows.example.test/workflows/abcdefgh12/triggers/x?sig=SECRETSECRET` })
  expect(await only()).toMatchObject({ kind: 'teams', address: 'flows.example.test/…/abcdefgh…' })
  expect(JSON.stringify(await only())).not.toContain('SECRET')
  for (const [kind, address] of [
    ['slack', 'https://evil.example/services/T/B/x'],
    ['discord', 'https://discord.com/users/1'],
    ['teams', 'ftp://flows.example.test/x'],
    ['webhook', 'javascript:alert(1)'],
    ['pigeon', 'x'],
  ] as const) {
    expect((await ask({ kind, address })).status, kind).toBe(422)
  }
})

test('a browser gets its messages encrypted, and confirms by the first one', async () => {
  const curve = createECDH('prime256v1')
  const p256dh = curve.generateKeys('base64url')
  const auth = randomBytes(16).toString('base64url')
  const receiver = { privateKey: curve.getPrivateKey('base64url'), auth }
  const form = { scope: 'all', address: `${place}/push/1`, p256dh, auth }
  const page = await world.open(`/status/${slug}/subscribe/browser`)
  expect(page.headers['content-security-policy']).toContain("script-src 'self'")
  expect((await world.open(`/status/${slug}/subscribe/browser.js`)).headers['content-type']).toMatch('text/javascript')
  expect((await world.open(`/status/${slug}/subscribe/worker.js`)).text).toContain('You are subscribed')
  expect((await world.send(`/status/${slug}/subscribe/browser`, form)).status).toBe(200)
  await world.deliver(null)
  expect(heard).toEqual([])
  expect((await world.send(`/status/${slug}/subscribe/browser`, form)).status).toBe(200)
  await world.deliver()
  const first = readPush(heard[0]?.body ?? Buffer.of(), receiver) as { readonly url: string }
  expect((await world.send(pathOf(first.url), '')).status).toBe(200)
  await world.incident(id, { name: 'Slow' })
  await world.deliver()
  const told = readPush(heard[1]?.body ?? Buffer.of(), receiver)
  expect(told).toMatchObject({ title: '[Shop status] Slow: Investigating' })
  answer = () => ({ status: 410, text: '' })
  await world.incident(id)
  await world.deliver()
  expect(await only()).toMatchObject({ disabled_reason: expect.stringContaining('410') })
  const added = { status_page_id: id, kind: 'web_push', address: `${place}/push/2` }
  expect((await world.call('alice', 'POST', '/status_page_subscribers', added)).status).toBe(422)
})
