import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { insertAnalyses } from '../../src/history/analyses.ts'
import { type FurnishedWorld, furnishedWorld, okRound } from '../support/furnished.ts'

let world: FurnishedWorld
let base: string
let now: number

const dayMs = 86_400_000
const seconds = (at: number) => Math.floor(at / 1000)

beforeAll(async () => {
  world = await furnishedWorld()
  base = `/services/${world.serviceIds.shared}/history`
  now = world.clock.now()
})
afterAll(() => world.drop())

async function read<T>(path: string): Promise<T> {
  const reply = await world.call('alice', 'GET', `${base}${path}`)
  expect([path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([path, 200, ''])
  return reply.body as T
}

describe('artifacts', () => {
  const place = (analysis: string, sensor: number | undefined) => `/analyses/${analysis}/checks/${sensor}/artifacts`

  test('are listed and downloaded, never shown as a page of ours', async () => {
    const path = place('last_failure_analysis', world.people.sensorIds[0])
    const name = `service-${world.serviceIds.shared}-analysis-${world.history.failureId}-sensor-${world.people.sensorIds[0]}.html`
    expect(await read(path)).toEqual([
      {
        ...{ id: 'content', content_type: 'text/html; charset=utf-8', file_name: name },
        ...{ size: world.history.pageBytes.length, is_truncated: false },
      },
      {
        ...{ id: 'har', content_type: 'application/json', file_name: name.replace('.html', '.har') },
        ...{ size: world.history.pageBytes.length, is_truncated: false },
      },
    ])
    const reply = await world.call('alice', 'GET', `${base}${path}/content/plain`)
    expect(reply.text).toBe(world.history.pageBytes.toString())
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'content-length': String(world.history.pageBytes.length),
    })
    const tag = String(reply.headers['etag'])
    const again = await world.call('alice', 'GET', `${base}${path}/content/plain`, undefined, { 'if-none-match': tag })
    expect([again.status, again.text]).toEqual([304, ''])
    const head = await world.call('alice', 'HEAD', `${base}${path}/content/plain`)
    const itsOwn = { date: '', 'x-request-id': '' }
    expect({ ...head.headers, ...itsOwn }).toEqual({ ...reply.headers, ...itsOwn })
  })

  test('are sent in parts, and nothing of them is read for who has them', async () => {
    const path = `${base}${place('last_failure_analysis', world.people.sensorIds[0])}/content/plain`
    const page = world.history.pageBytes
    const get = async (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') => {
      const { status, headers: told, text } = await world.call('alice', method, path, undefined, headers)
      return { status, told, text }
    }
    const tag = String((await get({})).told['etag'])
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/)
    const part = await get({ range: 'bytes=6-13' })
    expect([part.status, part.text]).toEqual([206, page.subarray(6, 14).toString()])
    expect(part.told).toMatchObject({
      ...{ 'content-range': `bytes 6-13/${page.length}`, 'content-length': '8', etag: tag },
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect((await get({ range: 'bytes=-4' })).text).toBe(page.subarray(-4).toString())
    expect((await get({ range: 'bytes=0-2,4-5' })).status).toBe(200)
    expect((await get({ range: 'bytes=0-2', 'if-range': tag })).status).toBe(206)
    expect((await get({ range: 'bytes=0-2', 'if-range': `W/${tag}` })).status).toBe(200)
    expect((await get({ range: 'bytes=0-2', 'if-range': 'Sat, 21 Nov 2026 10:00:00 GMT' })).status).toBe(200)
    expect((await get({ range: 'bytes=0-2', 'if-none-match': tag })).status).toBe(304)
    expect((await get({ range: 'bytes=0-2' }, 'HEAD')).told).toMatchObject({ 'content-length': String(page.length) })
    const beyond = await get({ range: 'bytes=900-' })
    expect([beyond.status, beyond.told['content-range']]).toEqual([416, `bytes */${page.length}`])
    expect(beyond.told).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    expect(beyond.told['content-disposition']).toBeUndefined()
    expect(JSON.parse(beyond.text)).toMatchObject([{ error: 'range_not_satisfiable', code: 4160001 }])
  })

  test('whose bytes are gone are not found, and 304 still needs none', async () => {
    const { failedAt } = world.history
    const day = formatMoment(failedAt).slice(0, 10).replaceAll('-', '')
    const path = `${base}${place('last_failure_analysis', world.people.sensorIds[0])}/content/plain`
    const tag = String((await world.call('alice', 'HEAD', path)).headers['etag'])
    expect(await world.artifacts.remove(day, world.serviceIds.shared)).toBe(1)
    try {
      const gone = await world.call('alice', 'GET', path)
      expect([gone.status, gone.headers['content-disposition'], gone.headers['etag']]).toEqual([
        404,
        undefined,
        undefined,
      ])
      expect((await world.call('alice', 'HEAD', path)).status).toBe(404)
      expect((await world.call('alice', 'GET', path, undefined, { 'if-none-match': tag })).status).toBe(304)
    } finally {
      await world.artifacts.put(world.history.pageBytes, { serviceId: world.serviceIds.shared, decidedAt: failedAt })
    }
  })

  test('of every kind have their own types and names, whatever the target called them', async () => {
    const sensorIds = world.people.sensorIds
    const [first = 0, second = 0] = sensorIds
    const at = now - 2 * dayMs
    const serviceId = world.serviceIds.shared
    const keep = (bytes: string) => world.artifacts.put(Buffer.from(bytes), { serviceId, decidedAt: at })
    await ensurePartitions(world.database, at, 0)
    const kinds = [
      { id: 'content', content_type: 'text/html; charset="UTF-8"; x=<script>', key: await keep('page'), size: 4 },
      { id: 'har', content_type: 'application/json', key: await keep('{"log":1}'), size: 9 },
      { id: 'screenshot', content_type: 'image/png', key: await keep('picture'), size: 7 },
    ]
    const none = { error_type_id: 4001, error_message: 'too much' }
    await insertAnalyses(world.database, [
      {
        ...okRound({ serviceId, sensorIds, at }),
        ...{ verdict: 'failure', results: ['e', 'e', 'o'] },
        failures: {
          [first]: { ...none, artifacts: kinds.map((kind) => ({ ...kind, is_truncated: kind.id === 'content' })) },
          [second]: { ...none, artifacts: [], missing_artifacts: [{ id: 'har', reason: 'too_large' }] },
        },
      },
    ])
    const analysis = `${at}00`.padStart(15, '0')
    const stem = `service-${serviceId}-analysis-${analysis}-sensor-${first}`
    const shown = (id: string, content_type: string, name: string, size: number, is_truncated = false) => ({
      ...{ id, content_type, size, is_truncated, file_name: `${stem}${name}` },
    })
    const list = await read<readonly { id: string; content_type: string; file_name: string }[]>(place(analysis, first))
    expect(list).toEqual([
      shown('content', 'text/html; charset=utf-8', '.html', 4, true),
      shown('har', 'application/json', '.har', 9),
      shown('screenshot', 'image/png', '-screenshot.png', 7),
    ])
    expect(await read<unknown[]>(`${place(analysis, first)}?is_truncated=true&fields=id`)).toEqual([{ id: 'content' }])
    for (const { id, content_type, file_name } of list) {
      const { headers } = await world.call('alice', 'GET', `${base}${place(analysis, first)}/${id}/plain`)
      expect(headers).toMatchObject({
        ...{ 'content-type': content_type, 'content-disposition': `attachment; filename="${file_name}"` },
        ...{ 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' },
      })
    }
    const range = `from=${seconds(at) - 60}&to=${seconds(at) + 60}`
    const found = (filter: string) =>
      read<readonly { sensor_id: number }[]>(`/checks?${range}&${filter}&fields=sensor_id`)
    expect(await found('har_available=true')).toEqual([{ sensor_id: first }])
    expect(await found('result=error&har_available=false')).toEqual([{ sensor_id: second }])
    expect(await found('har_available=false')).toHaveLength(2)
    expect(await found('result=ERROR&result=ok')).toHaveLength(3)
    expect(
      await read(`/analyses/${analysis}/checks/${second}/details?fields=content_available,missing_artifacts`),
    ).toEqual({
      content_available: false,
      missing_artifacts: [{ id: 'har', reason: 'too_large' }],
    })
  })

  test('that were not kept are not found', async () => {
    const [first, second] = world.people.sensorIds
    expect(await read(place('last_failure_analysis', second))).toEqual([])
    for (const path of [
      `${place('last_failure_analysis', second)}/content/plain`,
      `${place('last_failure_analysis', first)}/screenshot/plain`,
      `${place('last_failure_analysis', first)}/__proto__/plain`,
      `${place('last_ok_analysis', first)}/content/plain`,
      place('last_failure_analysis', 999),
    ]) {
      expect([path, (await world.call('alice', 'GET', `${base}${path}`)).status]).toEqual([path, 404])
    }
  })
})
