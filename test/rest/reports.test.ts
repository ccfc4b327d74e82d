import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { interfaceDescription } from '../../src/program/interface-description.ts'
import { reportJson } from '../../src/resources/reports/report-files.ts'
import { descriptionOf } from '../support/described.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { givePackage } from '../support/packages.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'
import { makeReports } from '../support/reports.ts'

let world: FurnishedWorld
beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

type Body = Readonly<Record<string, unknown>>
const week = { from: '2026-11-09T00:00:00Z', to: '2026-11-16T00:00:00Z' }

async function create(person: Person, path: string, body: unknown): Promise<number> {
  const reply = await world.call(person, 'POST', path, body)
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return (reply.body as { id: number }).id
}

async function shown(path: string, person: Person = 'alice'): Promise<Body> {
  const reply = await world.call(person, 'GET', path)
  expect(reply.status).toBe(200)
  return reply.body as Body
}

const refusal = async (person: Person, path: string, body: unknown) => {
  const reply = await world.call(person, 'POST', path, body)
  return [reply.status, pointersOf(reply)]
}

describe('a report template', () => {
  test('needs a name alone: all sections, a summary, nothing selected', async () => {
    const id = await create('alice', '/report_templates', { name: 'Sklep' })
    expect(await shown(`/report_templates/${id}`)).toMatchObject({
      owner_id: world.people.ids.alice,
      description: '',
      email_addresses: [],
      section_ids: ['checks_summary', 'service_level_summary', 'performance_by_hour', 'performance_by_week_day'],
      summary: 'enabled',
      weekly_suspensions: [],
      reporting_plan_ids: [],
      archived_services: false,
      requested_scope: {
        services: { all: false, by_owner_id: [], by_group_id: [], by_id: [] },
        groups: { all: false, by_owner_id: [], by_id: [] },
        accounts: { all: false, by_id: [] },
      },
    })
  })

  test('may be given its name as a title, which is shown as the same value', async () => {
    const id = await create('alice', '/report_templates', { title: 'Tytuł' })
    expect(await shown(`/report_templates/${id}?fields=name,title`)).toEqual({ name: 'Tytuł', title: 'Tytuł' })
    const path = `/report_templates/${id}`
    expect((await world.call('alice', 'PUT', path, { name: 'Nowa', title: 'Tytuł' })).status).toBe(204)
    expect(await shown(`${path}?fields=title`)).toEqual({ title: 'Nowa' })
    expect((await world.call('alice', 'PUT', path, { title: 'Nowsza' })).status).toBe(204)
    expect(await shown(`${path}?fields=name`)).toEqual({ name: 'Nowsza' })
    expect(await refusal('alice', '/report_templates', {})).toEqual([422, ['missing_value data.name']])
    expect(await refusal('alice', '/report_templates', { name: 'a', title: 'b' })).toEqual([
      422,
      ['incorrect_value data.title'],
    ])
  })

  test('refuses what its owner cannot access, wrong addresses, doubles and empty weeks, all at once', async () => {
    const noon = { day_of_week: 1, hour: 12, minute: 0 }
    const { serviceIds, groupIds, people } = world
    const body = {
      name: 'x',
      email_addresses: ['szef@example.com', 'nobody'],
      section_ids: ['checks_summary', 'checks_summary'],
      reporting_plan_ids: ['daily', 'daily'],
      weekly_suspensions: [{ start_minute: noon, end_minute: noon }],
      requested_scope: {
        services: {
          by_id: [serviceIds.shared, serviceIds.foreign],
          by_group_id: [groupIds.foreign],
          by_owner_id: [people.ids.charlie],
        },
        groups: { by_id: [groupIds.foreign] },
        accounts: { by_id: [people.ids.alice, people.ids.charlie] },
      },
    }
    expect(await refusal('alice', '/report_templates', body)).toEqual([
      422,
      [
        'incorrect_value data.email_addresses[1]',
        'incorrect_value data.requested_scope.accounts.by_id[1]',
        'incorrect_value data.requested_scope.groups.by_id[0]',
        'incorrect_value data.requested_scope.services.by_group_id[0]',
        'incorrect_value data.requested_scope.services.by_id[1]',
        'incorrect_value data.requested_scope.services.by_owner_id[0]',
        'incorrect_value data.weekly_suspensions[0].end_minute',
        'value_is_not_unique data.reporting_plan_ids[1]',
        'value_is_not_unique data.section_ids[1]',
      ],
    ])
  })

  test('may name what is shared with its owner', async () => {
    const scope = { services: { by_id: [world.serviceIds.shared] }, groups: { by_id: [world.groupIds.shared] } }
    await create('carol', '/report_templates', { name: 'x', requested_scope: scope })
  })

  test('of a sub-account belongs to its parent, and goes with its reports', async () => {
    const id = await create('adam', '/report_templates', { name: 'x' })
    expect(await shown(`/report_templates/${id}?fields=owner_id`)).toEqual({ owner_id: world.people.ids.alice })
    const report = await create('alice', '/reports', { template_id: id, ...week })
    expect((await world.call('alice', 'DELETE', `/report_templates/${id}`)).status).toBe(204)
    expect((await world.call('alice', 'GET', `/reports/${report}`)).status).toBe(404)
  })
})

describe('a report', () => {
  let templateId: number
  beforeEach(async () => {
    templateId = await create('alice', '/report_templates', {
      name: 'Sklep Łódź',
      description: 'Dla zarządu',
      archived_services: true,
      section_ids: ['checks_summary'],
      requested_scope: { services: { all: true } },
    })
  })

  test('has what its template says, and later changes of that do not reach it', async () => {
    const id = await create('alice', '/reports', { template_id: templateId, ...week })
    await world.call('alice', 'PUT', `/report_templates/${templateId}`, { name: 'Inny', summary: 'only' })
    expect(await shown(`/reports/${id}`)).toMatchObject({
      ...week,
      ...{ status: 'pending', progress: 0 },
      ...{ generating_status: 'pending', generating_progress: 0 },
      ...{ rendering_status: 'pending', rendering_progress: 0 },
      template_id: templateId,
      name: 'Sklep Łódź',
      description: 'Dla zarządu',
      section_ids: ['checks_summary'],
      summary: 'enabled',
      archived_services: true,
      requested_scope: { services: { all: true } },
      reporting_plan_id: null,
      error_message: null,
    })
  })

  test('has its own values where it was given some', async () => {
    const own = {
      name: 'Ten',
      description: 'Tylko ten',
      email_addresses: ['inny@example.com'],
      section_ids: ['service_level_summary'],
      summary: 'disabled',
      requested_scope: { groups: { by_id: [world.groupIds.shared] } },
    }
    const id = await create('alice', '/reports', { template_id: templateId, ...week, ...own })
    expect(await shown(`/reports/${id}`)).toMatchObject(own)
    expect(await shown(`/report_templates/${templateId}`)).toMatchObject({ name: 'Sklep Łódź', email_addresses: [] })
  })

  test('needs a template of the caller’s and a range that ends after it begins', async () => {
    const foreign = await create('charlie', '/report_templates', { name: 'x' })
    expect(await refusal('alice', '/reports', { template_id: foreign, from: week.to, to: week.from })).toEqual([
      422,
      ['incorrect_value data.template_id', 'incorrect_value data.to'],
    ])
    expect(await refusal('alice', '/reports', {})).toEqual([
      422,
      ['missing_value data.from', 'missing_value data.template_id', 'missing_value data.to'],
    ])
  })

  test('asks for nothing that the owner of the template cannot access', async () => {
    const requested_scope = { services: { by_id: [world.serviceIds.foreign] } }
    expect(await refusal('alice', '/reports', { template_id: templateId, ...week, requested_scope })).toEqual([
      422,
      ['incorrect_value data.requested_scope.services.by_id[0]'],
    ])
  })

  test('counts against the limit of the month, also when it is deleted; the next month is free again', async () => {
    await givePackage(world, 'bob', { monthly_reports_limit: 2 })
    const template_id = await create('bob', '/report_templates', { name: 'x' })
    const first = await create('bob', '/reports', { template_id, ...week })
    expect((await world.call('bob', 'DELETE', `/reports/${first}`)).status).toBe(204)
    await create('bob', '/reports', { template_id, ...week })
    const reply = await world.call('bob', 'POST', '/reports', { template_id, ...week })
    expect([reply.status, pointersOf(reply)]).toEqual([422, ['limit_exceeded']])
    await world.database.execute(sql`
      update report_counters set month = '2026-10-01' where account_id = ${world.people.ids.bob}`)
    await create('bob', '/reports', { template_id, ...week })
  })

  test('two at once never pass the limit together', async () => {
    await givePackage(world, 'charlie', { monthly_reports_limit: 1 })
    await world.database.execute(sql`delete from report_counters where account_id = ${world.people.ids.charlie}`)
    const template_id = await create('charlie', '/report_templates', { name: 'x' })
    const order = () => world.call('charlie', 'POST', '/reports', { template_id, ...week })
    const statuses = (await Promise.all([order(), order(), order()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 422, 422])
  })

  test('is read by the family alone; a read-only user makes and deletes none', async () => {
    const id = await create('adam', '/reports', { template_id: templateId, ...week })
    expect((await shown(`/reports/${id}/permissions`, 'rita'))['delete']).toBe(false)
    expect(await shown(`/reports/${id}/permissions`, 'alice')).toEqual({ own: true, read: true, delete: true })
    for (const person of ['bob', 'carol', 'charlie'] as const) {
      expect((await world.call(person, 'GET', `/reports/${id}/json`)).status).toBe(404)
    }
    expect(await refusal('rita', '/reports', { template_id: templateId, ...week })).toEqual([403, ['forbidden']])
  })

  test('in progress cannot be deleted, nor its template', async () => {
    const id = await create('alice', '/reports', { template_id: templateId, ...week })
    await world.database.execute(sql`update reports set status = 'in_progress' where id = ${id}`)
    expect((await shown(`/reports/${id}/permissions`))['delete']).toBe(false)
    for (const path of [`/reports/${id}`, `/report_templates/${templateId}`]) {
      const reply = await world.call('alice', 'DELETE', path)
      expect([reply.status, pointersOf(reply)]).toEqual([422, ['report_in_progress']])
    }
    expect(pointersOf(await world.call('rita', 'DELETE', `/reports/${id}`))).toEqual(['forbidden'])
    await world.database.execute(sql`update reports set status = 'failed' where id = ${id}`)
    expect((await world.call('alice', 'DELETE', `/reports/${id}`)).status).toBe(204)
  })
})

describe('a download', () => {
  test('is named, tagged and taken in parts', async () => {
    const path = world.fill('/reports/{_id}/json')
    const whole = await world.call('alice', 'GET', path)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="report-\d+-sklep-co-tydzien-2026-11-21.json"; filename\*=UTF-8''Sklep%20co%20tydzie%C5%84%202026-11-21%E2%80%932026-11-22\.json$/,
      ),
    })
    const tag = String(whole.headers['etag'])
    expect((await world.call('alice', 'GET', path, undefined, { 'if-none-match': tag })).status).toBe(304)
    const part = await world.call('alice', 'GET', path, undefined, { range: 'bytes=2-9' })
    expect([part.status, part.text]).toEqual([206, whole.text.slice(2, 10)])
    const more = await world.call('alice', 'GET', path, undefined, { range: `bytes=-${'9'.repeat(300)}` })
    expect([more.status, more.text]).toEqual([206, whole.text])
    for (const reply of [whole, part, more]) descriptionOf(interfaceDescription()).check(reportJson, reply)
    const document = await world.call('alice', 'GET', world.fill('/reports/{_id}/pdf'))
    expect([document.status, document.headers['content-type']]).toEqual([200, 'application/pdf'])
  })

  test('waits for its phase; of a failed report there is none', async () => {
    const template_id = await create('alice', '/report_templates', { name: 'x' })
    const id = await create('alice', '/reports', { template_id, ...week })
    for (const kind of ['json', 'pdf']) {
      const reply = await world.call('alice', 'GET', `/reports/${id}/${kind}`)
      expect([reply.status, pointersOf(reply)]).toEqual([422, ['report_in_progress']])
    }
    await makeReports(world, async () => {
      throw new Error('no paper')
    })
    expect(await shown(`/reports/${id}`)).toMatchObject({
      ...{ status: 'failed', progress: 50, generating_status: 'completed' },
      error_message: expect.stringContaining('z powodu błędu programu'),
    })
    expect((await world.call('alice', 'GET', `/reports/${id}/json`)).status).toBe(200)
    expect((await world.call('alice', 'GET', `/reports/${id}/pdf`)).status).toBe(404)
  })
})

test('an account takes its templates, reports and counts along', async () => {
  const template_id = await create('carol', '/report_templates', { name: 'x' })
  await create('carol', '/reports', { template_id, ...week })
  expect((await world.call('dora', 'DELETE', `/admin/accounts/${world.people.ids.carol}`)).status).toBe(204)
  const left = await world.database.query(sql`
    select id from report_templates where owner_id = ${world.people.ids.carol}
    union all select id from reports where owner_id = ${world.people.ids.carol}
    union all select account_id from report_counters where account_id = ${world.people.ids.carol}`)
  expect(left).toEqual([])
})
