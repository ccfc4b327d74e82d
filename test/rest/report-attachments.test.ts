import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

let world: FurnishedWorld
let report: string

beforeAll(async () => {
  world = await furnishedWorld()
  report = world.fill('/reports/{_id}')
})
afterAll(() => world.drop())

const below = (url: string) => url.slice(url.indexOf('/v3') + 3)

async function ready<T>(path: string): Promise<T> {
  const reply = await world.call('alice', 'GET', path)
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, ''])
  return reply.body as T
}

test('the files of a report are listed, and are the same as its data and its document', async () => {
  const files = await ready<readonly { attachment_type_id: string; size: number }[]>(`${report}/generated_attachments`)
  expect(files.map(({ attachment_type_id: type }) => type)).toEqual(['json', 'pdf'])
  for (const { attachment_type_id: type, size } of files) {
    const [plain, own] = await Promise.all([
      world.call('alice', 'GET', `${report}/generated_attachments/${type}/plain`),
      world.call('alice', 'GET', `${report}/${type}`),
    ])
    expect([plain.status, plain.text === own.text, plain.headers['content-length']]).toEqual([200, true, String(size)])
    expect(plain.headers['content-type']).toBe(own.headers['content-type'])
  }
  expect(await ready(`${report}/generated_attachments?attachment_type_id=pdf&fields=attachment_type_id`)).toEqual([
    { attachment_type_id: 'pdf' },
  ])
})

test('a file has a link that needs no login, and that opens nothing else', async () => {
  const { download_url: url } = await ready<{ download_url: string }>(`${report}/generated_attachments/pdf`)
  const [name = '', token = ''] = url.slice(url.lastIndexOf('/') + 1).split('?token=')
  const id = report.split('/')[2]
  const linked = await world.call(
    null,
    'GET',
    `/reports/${id}/generated_attachments/pdf/by_token/${name}?token=${token}`,
  )
  expect([linked.status, linked.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(below(url)).toBe(`/reports/${id}/generated_attachments/pdf/by_token/${name}?token=${token}`)
  const older = await world.call(null, 'GET', `/reports/${id}/pdf/by_token/${name}?token=${token}`)
  expect(older.text).toBe(linked.text)
  for (const other of [
    below(url).replace('/pdf/by_token/', '/json/by_token/'),
    below(url).replace(report, '/reports/999999'),
    below(url).slice(0, -1),
    below(url).replace(/token=.*/, ''),
  ]) {
    expect([other, (await world.call(null, 'GET', other)).status]).toEqual([other, 404])
  }
  world.clock.advance(3_600_000)
  expect((await world.call(null, 'GET', below(url))).status).toBe(404)
})

test('files of others are not found', async () => {
  for (const path of ['', '/pdf', '/pdf/plain']) {
    expect((await world.call('charlie', 'GET', `${report}/generated_attachments${path}`)).status).toBe(404)
  }
  expect((await world.call('alice', 'GET', `${report}/generated_attachments/doc`)).status).toBe(404)
})

test('a template tells of its sections, its plans and its reports', async () => {
  const template = world.fill('/report_templates/{_id}')
  const sections = await ready<readonly { id: string }[]>(`${template}/sections`)
  expect(sections.map(({ id }) => id).toSorted()).toEqual([
    'checks_summary',
    'performance_by_hour',
    'performance_by_week_day',
    'service_level_summary',
  ])
  expect(await ready(`${template}/reporting_plans`)).toEqual([])
  await world.call('alice', 'PUT', template, { reporting_plan_ids: ['weekly'] })
  expect(await ready(`${template}/reporting_plans?fields=id`)).toEqual([{ id: 'weekly' }])
  expect(await ready(`${template}/reports?fields=status`)).toEqual([{ status: 'completed' }])
  expect(await ready(`${template}/stats`)).toMatchObject({ reports: 1, completed: 1, failed: 0 })
  expect(await ready(`${report}/template?fields=name`)).toEqual({ name: 'Sklep co tydzień' })
})
