import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { keepGoodScreenshot } from '../../src/history/good-screenshots.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4])
let world: FurnishedWorld
let failure: string
let good: string

beforeAll(async () => {
  world = await furnishedWorld()
  const base = `/services/${world.serviceIds.shared}/history/status_changes`
  failure = `${base}/${world.history.changeIds.failure}`
  good = `${base}/${world.history.changeIds.ok}`
  await world.database.execute(sql`update services set type_id = 'fullpage' where id = ${world.serviceIds.shared}`)
})
afterAll(() => world.drop())

async function keep(takenAt: number, picture: Buffer): Promise<void> {
  const [sensorId = 0] = world.people.sensorIds
  const serviceId = world.serviceIds.shared
  const analysisId = takenAt * 100
  await keepGoodScreenshot(world.database, { serviceId, typeId: 'fullpage', analysisId, sensorId, takenAt, picture })
}

const shown = async (path: string) => {
  const reply = await world.call('alice', 'GET', `${path}?embed=last_good_screenshot`)
  return (reply.body as { last_good_screenshot: unknown }).last_good_screenshot
}

test('a failure leads to the newest picture from before it, read by those who read the history', async () => {
  expect(await shown(failure)).toBeNull()
  expect((await world.call('alice', 'GET', `${failure}/last_good_screenshot/plain`)).status).toBe(404)
  const { failedAt } = world.history
  const takenAt = failedAt - 2 * 86_400_000
  await keep(takenAt - 86_400_000, Buffer.concat([jpeg, jpeg]))
  await keep(takenAt, jpeg)
  await keep(failedAt + 86_400_000, Buffer.concat([jpeg, Buffer.from('later')]))
  const [sensorId = 0] = world.people.sensorIds
  expect(await shown(failure)).toEqual({
    analysis_id: String(takenAt * 100),
    time: formatMoment(takenAt),
    sensor_id: sensorId,
    sensor_name: expect.any(String),
    size: jpeg.length,
  })
  expect(await shown(good)).toBeNull()
  const reply = await world.call('alice', 'GET', `${failure}/last_good_screenshot/plain`)
  expect(reply.status).toBe(200)
  expect(reply.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-disposition': `attachment; filename="service-${world.serviceIds.shared}-failure-${world.history.changeIds.failure}-last-good-screenshot.jpg"`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'content-length': String(jpeg.length),
  })
  const path = `${failure}/last_good_screenshot/plain`
  const part = await world.call('alice', 'GET', path, undefined, { range: 'bytes=4-5' })
  expect([part.status, part.text]).toEqual([206, '\u0001\u0002'])
  const etag = String(reply.headers['etag'])
  expect((await world.call('alice', 'GET', path, undefined, { 'if-none-match': etag })).status).toBe(304)
  expect((await world.call('alice', 'GET', `${good}/last_good_screenshot/plain`)).status).toBe(404)
  expect((await world.call('charlie', 'GET', path)).status).toBe(404)
  expect((await world.call(null, 'GET', path)).status).toBe(401)
})

test('it is embedded only where it is asked for', async () => {
  const reply = await world.call('alice', 'GET', failure)
  expect(reply.body).not.toHaveProperty('last_good_screenshot')
})
