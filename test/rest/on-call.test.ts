import ICAL from 'ical.js'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namingContact, namingContactGroup } from '../../src/database/accounts/on-call.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'
import { idOf } from '../support/replies.ts'

/** Rotations and escalations as people make them. */
let world: FurnishedWorld
let own: number
let foreign: number

beforeAll(async () => {
  world = await furnishedWorld()
  own = await contactOf('alice', 'Anna; Ewa, "Łódź"')
  foreign = await contactOf('charlie', 'Karol')
})
afterAll(() => world.drop())

async function contactOf(person: 'alice' | 'charlie', name: string): Promise<number> {
  const [row] = await world.database.query<{ id: number }>(sql`
    insert into contacts (owner_id, name, language_id, time_zone_id)
    values (${world.people.ids[person]}, ${name}, 'pl', 'europe_warsaw') returning id`)
  return row?.id ?? 0
}

const turns = () => ({
  name: 'Duty',
  time_zone_id: 'europe_warsaw',
  contact_ids: [own],
  shift: { every: 'week', at: '09:00', day_of_week: 1 },
  starts_on: '2026-11-02',
})

const make = (path: string, body: object, person: Person = 'alice') => world.call(person, 'POST', path, body)

async function rotation(changes: object = {}): Promise<number> {
  return idOf(await make('/rotations', { ...turns(), ...changes }))
}

const stepsOf = (step: object) => ({ name: 'Nights', steps: [{ delay_seconds: 0, ...step }] })

async function escalation(step: object = { contact_ids: [own] }): Promise<number> {
  return idOf(await make('/escalations', stepsOf(step)))
}

describe('a rotation', () => {
  test('says who is on duty at a moment, and until when', async () => {
    const second = await contactOf('alice', 'Jan')
    const id = await rotation({
      contact_ids: [own, second],
      overrides: [{ contact_id: own, start_time: '2026-11-11T00:00:00Z', end_time: '2026-11-12T00:00:00Z' }],
    })
    const at = async (moment: string) =>
      (await world.call('alice', 'GET', `/rotations/${id}/on_duty?at=${moment}`)).body
    expect(await at('2026-11-01T00:00:00Z')).toEqual({ contact_id: null, until: '2026-11-02T08:00:00Z' })
    expect(await at('2026-11-10T00:00:00Z')).toEqual({ contact_id: second, until: '2026-11-11T00:00:00Z' })
    expect(await at('2026-11-11T00:00:00Z')).toEqual({ contact_id: own, until: '2026-11-12T00:00:00Z' })
    const now = await world.call('alice', 'GET', `/rotations/${id}/on_duty`)
    expect(now.body).toEqual(await at(new Date(world.clock.now()).toISOString()))
  })

  test.each([['at=tomorrow'], ['when=2026-11-11T00:00:00Z']])('does not understand %s', async (query) => {
    const reply = await world.call('alice', 'GET', `/rotations/${await rotation()}/on_duty?${query}`)
    expect([reply.status, pointersOf(reply)]).toEqual([422, [`incorrect_value query.${query.split('=')[0]}`]])
  })

  test('lists its turns from now on, also when nobody is on duty, and tells overrides', async () => {
    const second = await contactOf('alice', 'Jan')
    const now = world.clock.now()
    const text = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
    const day = 86_400_000
    const startsOn = text(now + 3 * day).slice(0, 10)
    const startAt = Date.parse(`${startsOn}T12:00:00Z`)
    const id = await rotation({
      time_zone_id: 'utc',
      contact_ids: [own, second],
      shift: { every: 'day', at: '12:00' },
      starts_on: startsOn,
      overrides: [{ contact_id: second, start_time: text(startAt), end_time: text(startAt + day / 2) }],
    })
    const turn = (contact_id: number | null, from: number, to: number, is_override = false) => ({
      ...{ contact_id, start_time: text(from), end_time: text(to), is_override },
    })
    const { body } = await world.call('alice', 'GET', `/rotations/${id}/turns?days=5`)
    expect(body).toEqual([
      turn(null, now, startAt),
      turn(second, startAt, startAt + day / 2, true),
      turn(own, startAt + day / 2, startAt + day),
      turn(second, startAt + day, startAt + 2 * day),
      ...(startAt + 2 * day < now + 5 * day ? [turn(own, startAt + 2 * day, startAt + 3 * day)] : []),
    ])
    const whole = (await world.call('alice', 'GET', `/rotations/${id}/turns`)).body as { readonly end_time: string }[]
    expect(Date.parse(whole.at(-1)?.end_time ?? '')).toBeGreaterThanOrEqual(now + 28 * day)
    expect((await world.call('charlie', 'GET', `/rotations/${id}/turns`)).status).toBe(404)
  })

  test.each([
    ['days=0', 'incorrect_value'],
    ['days=91', 'incorrect_value'],
    ['days=many', 'incorrect_type'],
    ['at=1', 'incorrect_value'],
  ])('lists no turns by %s', async (query, error) => {
    const reply = await world.call('alice', 'GET', `/rotations/${await rotation()}/turns?${query}`)
    expect([reply.status, pointersOf(reply)]).toEqual([422, [`${error} query.${query.split('=')[0]}`]])
  })

  test('is a calendar that a calendar program reads', async () => {
    const second = await contactOf('alice', `${'Bardzo długie nazwisko 🚨 '.repeat(6)}\\n`)
    const name = 'Dyżur; nocny, „Łódź”'
    const id = await rotation({ name, contact_ids: [own, second] })
    const reply = await world.call('alice', 'GET', `/rotations/${id}/calendar.ics`)
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    const lines = reply.text.split('\r\n')
    expect(lines.filter((line) => Buffer.byteLength(line) > 75 || line.includes('\n'))).toEqual([])
    const calendar = new ICAL.Component(ICAL.parse(reply.text))
    expect(lines).toContain('X-WR-CALNAME:Dyżur\\; nocny\\, „Łódź”')
    const events = calendar.getAllSubcomponents('vevent').map((part) => new ICAL.Event(part))
    const names = ['Anna; Ewa, "Łódź"', `${'Bardzo długie nazwisko 🚨 '.repeat(6)}\\n`]
    expect(new Set(events.map(({ summary }) => summary))).toEqual(new Set(names))
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length)
    const today = Math.floor(world.clock.now() / 86_400_000) * 86_400
    const times = events.map(({ startDate, endDate }) => [startDate.toUnixTime(), endDate.toUnixTime()])
    expect(times.at(-1)?.[1]).toBe(today + 90 * 86_400)
    // One ends where the next begins: Mondays at 09:00 of Warsaw, in winter.
    expect(times.slice(1).map(([start]) => start)).toEqual(times.slice(0, -1).map(([, end]) => end))
    expect(new Date((times[1]?.[0] ?? 0) * 1000).toISOString()).toMatch(/T08:00:00/)
  })

  test('is a calendar in which the shift under way begins when it began, and stays the same while it is read again', async () => {
    const id = await rotation({ contact_ids: [own, await contactOf('alice', 'Second')] })
    const events = async () => {
      const { text } = await world.call('alice', 'GET', `/rotations/${id}/calendar.ics`)
      return text.split('\r\n').filter((line) => /^(UID|DTSTART|DTEND|SUMMARY):/.test(line))
    }
    const first = await events()
    const [start = ''] = first.flatMap((line) => /^DTSTART:(.*)$/.exec(line)?.slice(1) ?? [])
    const written = new Date(world.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
    expect(start < written).toBe(true)
    expect(start).toMatch(/T0[78]0000Z$/)
    world.clock.advance(61_500)
    expect(await events()).toEqual(first)
  })

  test('is subscribed to by a secret link, until the link is revoked, replaced, or its owner is blocked', async () => {
    const id = await rotation({ name: 'Subscribed' })
    const link = async () => {
      const { status, body, headers } = await make(`/rotations/${id}/calendar_link`, {})
      expect([status, headers['cache-control']]).toEqual([201, 'no-store'])
      return (
        new URL((body as { url: string }).url).pathname.replace('/v3', '') +
        new URL((body as { url: string }).url).search
      )
    }
    const open = async (path: string) => (await world.call(null, 'GET', path)).status
    const first = await link()
    const reply = await world.call(null, 'GET', first)
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(reply.text).toBe((await world.call('alice', 'GET', `/rotations/${id}/calendar.ics`)).text)
    const shown = (await world.call('alice', 'GET', `/rotations/${id}`)).body as Record<string, string>
    expect(shown['link_used_at']).toBe(new Date(world.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'))
    expect(first).toContain(shown['link_prefix'])
    const stored = await world.database.query(sql`select * from rotations where id = ${id}`)
    expect(JSON.stringify(stored)).not.toContain(first.split('token=')[1])
    const second = await link()
    expect([await open(first), await open(second)]).toEqual([404, 200])
    await world.database.execute(sql`update accounts set is_blocked = true where id = ${world.people.ids.alice}`)
    expect(await open(second)).toBe(404)
    await world.database.execute(sql`update accounts set is_blocked = false where id = ${world.people.ids.alice}`)
    for (const [person, status] of [
      ['rita', 403],
      ['charlie', 404],
    ] as const) {
      expect((await world.call(person, 'POST', `/rotations/${id}/calendar_link`)).status).toBe(status)
      expect((await world.call(person, 'DELETE', `/rotations/${id}/calendar_link`)).status).toBe(status)
    }
    expect((await world.call('alice', 'DELETE', `/rotations/${id}/calendar_link`)).status).toBe(204)
    expect([
      await open(second),
      await open('/public/rotation.ics'),
      await open('/public/rotation.ics?token=x'),
    ]).toEqual([...[404, 404, 404]])
  })

  test.each([
    [{ contact_ids: [] }, 'value_too_short data.contact_ids'],
    [{ contact_ids: [999_999] }, 'incorrect_value data.contact_ids[0]'],
    [{ shift: { every: 'week', at: '09:00' } }, 'missing_value data.shift.day_of_week'],
    [{ shift: { every: 'day', at: '09:00', day_of_week: 1 } }, 'incorrect_value data.shift.day_of_week'],
    [{ shift: { every: 'day', at: '24:00' } }, 'incorrect_value data.shift.at'],
    [{ starts_on: '2026-02-30' }, 'incorrect_value data.starts_on'],
    [{ time_zone_id: 'mars' }, 'incorrect_value data.time_zone_id'],
    [
      { overrides: [{ contact_id: 999_999, start_time: 20, end_time: 10 }] },
      'incorrect_value data.overrides[0].contact_id,incorrect_value data.overrides[0].end_time',
    ],
  ])('with %j is refused', async (changes, pointers) => {
    const reply = await make('/rotations', { ...turns(), ...changes })
    expect([reply.status, pointersOf(reply).join()]).toEqual([422, pointers])
  })

  test('names nobody of another account', async () => {
    const reply = await make('/rotations', { ...turns(), contact_ids: [own, foreign] })
    expect(pointersOf(reply)).toEqual(['incorrect_value data.contact_ids[1]'])
  })
})

describe('an escalation', () => {
  test('is shown with everything that its steps leave out', async () => {
    const { body } = await world.call('alice', 'GET', `/escalations/${await escalation()}`)
    const empty = { contact_group_ids: [], rotation_ids: [], channel_ids: null, repeat_seconds: null }
    expect((body as { steps: unknown }).steps).toEqual([{ delay_seconds: 0, contact_ids: [own], ...empty }])
  })

  test.each([
    [{}, 'incorrect_value data.steps[0]'],
    [{ contact_ids: [999_999] }, 'incorrect_value data.steps[0].contact_ids[0]'],
    [{ contact_group_ids: [999_999] }, 'incorrect_value data.steps[0].contact_group_ids[0]'],
    [{ rotation_ids: [999_999] }, 'incorrect_value data.steps[0].rotation_ids[0]'],
    [{ delay_seconds: -1 }, 'incorrect_value data.steps[0].delay_seconds'],
    [{ repeat_seconds: 59 }, 'incorrect_value data.steps[0].repeat_seconds'],
    [{ channel_ids: ['pigeon'] }, 'incorrect_value data.steps[0].channel_ids[0]'],
  ])('with the step %j is refused', async (step, pointers) => {
    const reply = await make('/escalations', stepsOf(step))
    expect([reply.status, pointersOf(reply).join()]).toEqual([422, pointers])
  })

  test('needs a step', async () => {
    const reply = await make('/escalations', { name: 'Nights', steps: [] })
    expect(pointersOf(reply)).toEqual(['value_too_short data.steps'])
  })

  test('names nobody of another account', async () => {
    const reply = await make('/escalations', stepsOf({ contact_ids: [own, foreign] }))
    expect(pointersOf(reply)).toEqual(['incorrect_value data.steps[0].contact_ids[1]'])
  })

  test('belongs to services and groups of its owner alone', async () => {
    const id = await escalation()
    const service = `/services/${world.serviceIds.private}`
    expect((await world.call('alice', 'PUT', service, { escalation_id: id })).status).toBe(204)
    expect((await world.call('alice', 'GET', service)).body).toMatchObject({ escalation_id: id })
    const strange = await world.call('charlie', 'PUT', `/services/${world.serviceIds.foreign}`, { escalation_id: id })
    expect(pointersOf(strange)).toEqual(['incorrect_value data.escalation_id'])
    const group = await world.call('charlie', 'PUT', `/groups/${world.groupIds.foreign}`, { escalation_id: id })
    expect(pointersOf(group)).toEqual(['incorrect_value data.escalation_id'])
    expect((await world.call('alice', 'PUT', service, { escalation_id: null })).status).toBe(204)
  })

  test('cannot be deleted while something names it, nor can what it names', async () => {
    const turn = await rotation()
    const id = await escalation({ rotation_ids: [turn] })
    const group = `/groups/${world.groupIds.private}`
    await world.call('alice', 'PUT', group, { escalation_id: id })
    expect(pointersOf(await world.call('alice', 'DELETE', `/rotations/${turn}`))).toEqual(['object_is_in_use'])
    expect(pointersOf(await world.call('alice', 'DELETE', `/escalations/${id}`))).toEqual(['object_is_in_use'])
    await world.call('alice', 'PUT', group, { escalation_id: null })
    expect((await world.call('alice', 'DELETE', `/escalations/${id}`)).status).toBe(204)
    expect((await world.call('alice', 'DELETE', `/rotations/${turn}`)).status).toBe(204)
  })

  test('holds the contacts and groups of contacts that it names, with those of its rotations', async () => {
    const { database, people } = world
    const [first, second, nobody] = [
      await contactOf('alice', 'A'),
      await contactOf('alice', 'B'),
      await contactOf('alice', 'C'),
    ]
    const [group] = await database.query<{ id: number }>(sql`
      insert into contact_groups (owner_id, name) values (${people.ids.alice}, 'Team') returning id`)
    const override = { contact_id: first, start_time: '2026-11-11T00:00:00Z', end_time: '2026-11-12T00:00:00Z' }
    const turn = await rotation({ overrides: [override] })
    const id = await escalation({ contact_ids: [own, second], contact_group_ids: [group?.id] })
    const naming = (contact: number) => namingContact(database, contact, people.ids.alice)
    expect(await naming(first)).toEqual({ resource: 'rotations', id: turn, name: 'Duty' })
    expect(await naming(second)).toEqual({ resource: 'escalations', id, name: 'Nights' })
    expect(await naming(nobody)).toBeUndefined()
    expect(await namingContactGroup(database, group?.id ?? 0, people.ids.alice)).toMatchObject({ id })
    expect(await namingContactGroup(database, group?.id ?? 0, people.ids.charlie)).toBeUndefined()
  })

  test('is suspended by its owner alone', async () => {
    const id = await escalation()
    const times = { escalation_id: id, start_time: '2030-12-24T08:00:00Z', end_time: '2030-12-24T10:00:00Z' }
    expect(pointersOf(await make('/escalation_suspensions', times, 'charlie'))).toEqual([
      'incorrect_value data.escalation_id',
    ])
    const suspension = idOf(await make('/escalation_suspensions', times))
    expect((await world.call('charlie', 'GET', `/escalation_suspensions/${suspension}`)).status).toBe(404)
    const listed = await world.call('alice', 'GET', `/escalations/${id}/suspensions`)
    expect(listed.body).toMatchObject([{ id: suspension, escalation_id: id }])
    expect(pointersOf(await make('/escalation_suspensions', { ...times, end_time: times.start_time }))).toEqual([
      'incorrect_value data.end_time',
    ])
  })
})

describe('an escalation status', () => {
  const service = () => `/services/${world.serviceIds.shared}`
  const failure = () => `${service()}/history/status_changes/${world.history.changeIds.failure}`
  const statesOf = async (person: Person = 'alice') => {
    const { body } = await world.call(person, 'GET', `${service()}/escalation_statuses`)
    return Array.isArray(body) ? body.map(({ state, step }: { state: string; step: number }) => [state, step]) : body
  }

  test('follows the acknowledgement of its failure', async () => {
    expect(await statesOf()).toEqual([['running', 1]])
    expect((await world.call('alice', 'POST', `${failure()}/acknowledge`)).status).toBe(204)
    expect(await statesOf()).toEqual([['acknowledged', 1]])
    expect((await world.call('alice', 'POST', `${failure()}/unacknowledge`)).status).toBe(204)
    expect(await statesOf()).toEqual([['running', 1]])
  })

  test('is shown to the owner, not to those with whom the service is shared', async () => {
    expect(await statesOf('bob')).toEqual([])
    const id = world.furtherIds['escalations']
    const { body } = await world.call('alice', 'GET', `${service()}/escalation_statuses/${id}`)
    expect(body).toMatchObject({ service_id: world.serviceIds.shared, change_id: world.history.changeIds.failure })
    expect((await world.call('bob', 'GET', `${service()}/escalation_statuses/${id}`)).status).toBe(404)
    const found = await world.call('alice', 'POST', '/escalation_statuses/search', { filters: { state: ['running'] } })
    expect(found.body).toMatchObject([{ escalation_id: id, step: 1 }])
  })

  test('waits for the end of a suspension that is planned while it runs, and goes on when it is taken back', async () => {
    const nextOf = async () => {
      const [row] = await world.database.query<{ next_at: number | null }>(sql`select next_at from escalation_statuses`)
      return row?.next_at
    }
    await world.database.execute(sql`update escalation_statuses set next_at = 'infinity'`)
    const id = idOf(
      await make('/escalation_suspensions', {
        escalation_id: world.furtherIds['escalations'],
        end_time: '2030-12-24T10:00:00Z',
      }),
    )
    expect(await nextOf()).toBe(world.clock.now())
    await world.database.execute(sql`update escalation_statuses set next_at = 'infinity'`)
    await world.call('alice', 'DELETE', `/escalation_suspensions/${id}`)
    expect(await nextOf()).toBe(world.clock.now())
  })
})
