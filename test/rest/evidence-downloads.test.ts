import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { passwordOf } from '../support/people.ts'

let world: FurnishedWorld
let check: string

beforeAll(async () => {
  world = await furnishedWorld()
  const { serviceIds, history, people } = world
  check = `/services/${serviceIds.shared}/history/analyses/${history.failureId}/checks/${people.sensorIds[0]}`
})
afterAll(() => world.drop())

/** The path below the base of the API, as `world.call` takes it. */
const below = (url: string) => url.slice(url.indexOf('/v3') + 3)

interface Linked {
  readonly download_url: string
  readonly size: number
}

describe('a link to an artifact', () => {
  test('downloads it without a login, for an hour', async () => {
    const { body } = await world.call('alice', 'GET', `${check}/artifacts/content`)
    const { download_url: url, size } = body as Linked
    expect(size).toBe(world.history.pageBytes.length)
    const reply = await world.call(null, 'GET', below(url))
    expect([reply.status, reply.text]).toEqual([200, world.history.pageBytes.toString()])
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    world.clock.advance(3_600_000)
    expect((await world.call(null, 'GET', below(url))).status).toBe(404)
  })

  test('opens nothing else', async () => {
    const { body } = await world.call('alice', 'GET', `${check}/artifacts/content`)
    const url = below((body as Linked).download_url)
    const [path = '', token = ''] = url.split('?token=')
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    const others = [
      path,
      `${path}?token=`,
      `${path}?token=${forged}`,
      `${path}?token=${token.split('.')[0]}.`,
      url.replace('/content/', '/har/'),
      url.replace('/by_token/', '/by_token/x'),
      url.replace(/\/checks\/\d+\//, '/checks/999/'),
    ]
    for (const other of others) expect([other, (await world.call(null, 'GET', other)).status]).toEqual([other, 404])
  })

  test('is for who may read the check', async () => {
    const reply = await world.call('charlie', 'GET', `${check}/artifacts/content`)
    expect(reply.status).toBe(404)
    expect((await world.call('alice', 'GET', `${check}/artifacts/screenshot`)).status).toBe(404)
  })
})

test('an artifact comes as a ZIP file that holds it', async () => {
  const reply = await world.server.inject({
    url: `/v3${check}/artifacts/content/zip`,
    headers: { authorization: `Basic ${Buffer.from(`alice:${passwordOf('alice')}`).toString('base64')}` },
  })
  expect(reply.headers).toMatchObject({ 'content-type': 'application/zip' })
  expect(String(reply.headers['content-disposition'])).toMatch(/\.html\.zip"$/)
  const bytes = reply.rawPayload
  expect(bytes.subarray(0, 4)).toEqual(Buffer.from('PK\u0003\u0004'))
  const [nameLength, extraLength] = [bytes.readUInt16LE(26), bytes.readUInt16LE(28)]
  const start = 30 + nameLength + extraLength
  expect(bytes.subarray(30, 30 + nameLength).toString()).toMatch(/^service-\d+-analysis-\d+-sensor-\d+\.html$/)
  // The sizes stand behind the data, which end where the central directory's entry says.
  const directory = bytes.lastIndexOf(Buffer.from('PK\u0001\u0002'))
  const packed = bytes.readUInt32LE(directory + 20)
  expect(inflateRawSync(bytes.subarray(start, start + packed))).toEqual(world.history.pageBytes)
})

test('the content is never compressed at its older path', async () => {
  const path = `${check}/uncompressed_content`
  const reply = await world.call('alice', 'GET', path, undefined, { 'accept-encoding': 'gzip' })
  expect([reply.status, reply.headers['content-encoding']]).toEqual([200, undefined])
  expect(reply.text).toBe(world.history.pageBytes.toString())
})

test.each([
  ['content', 'text/html; charset=utf-8'],
  ['har', 'application/json'],
])('the older path %s has the same bytes', async (name, type) => {
  const reply = await world.call('alice', 'GET', `${check}/${name}`)
  expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([
    200,
    type,
    world.history.pageBytes.toString(),
  ])
  expect(reply.headers['content-disposition']).toMatch(/^attachment;/)
})
