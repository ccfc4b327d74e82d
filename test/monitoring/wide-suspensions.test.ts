import fc from 'fast-check'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Monitoring, startMonitoring } from '../../src/monitoring/start.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { type FakeStations, fakeStations } from '../support/fake-stations.ts'
import { changesOf, intentsOf, passTime, silentLog } from '../support/monitoring.ts'
import { patiently } from '../support/patience.ts'

/** The history that wide suspensions write, through the API and with real rounds. */
let world: ApiWorld
let monitoring: Monitoring
let stations: FakeStations

beforeAll(async () => {
  world = await apiWorld()
  stations = fakeStations()
  stations.connect(...world.people.sensorIds)
  monitoring = await startMonitoring({
    ...{ database: world.database, stations, clock: world.clock, timers: world.clock, manual: true, log: silentLog },
    keepArtifact: async () => null,
    retentionDays: 400,
    pruneArtifacts: async () => 0,
  })
})
afterAll(async () => {
  await monitoring.stop()
  await world.drop()
})

const minute = 60_000
const tagNames = ['red', 'blue']
/** The tags of a service by the number that a step writes. */
const tagSets = [[], [0], [1], [0, 1]]

async function call(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<number> {
  const reply = await world.call('alice', method, path, body)
  expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300)
  return Number((reply.body as { id?: number } | undefined)?.id)
}

async function clear(): Promise<void> {
  for (const table of ['wide_suspensions', 'services', 'schedule', 'tags'])
    await world.database.execute(sql`delete from ${raw(table)}`)
  stations.answer = () => 'ok'
  stations.jobs.length = 0
}

const newService = (values: object) =>
  call('POST', '/services', { name: 'Shop', type_id: 'http', address: 'shop.example', interval: 60, ...values })

const momentOf = (at: number) => new Date(at).toISOString()
const passUntil = (at: number) => passTime(world, monitoring, at)

test('a failing service that gets the tag is paused, and nobody hears of an end that was none', async () => {
  await clear()
  await call('POST', '/tags', { name: 'web' })
  const values = { notification_condition_ids: ['failure', 'recovery', 'pause'], notification_channel_ids: ['email'] }
  const group_id = await call('POST', '/groups', { name: 'Told' })
  await call('POST', '/notification_addresses', {
    group_id,
    notification_channel_id: 'email',
    address: 'a@example.com',
  })
  const id = await newService({ ...values, group_id })
  stations.answer = () => 'error'
  const startedAt = world.clock.now()
  await monitoring.drain()
  await call('POST', '/wide_suspensions', { tag: 'web', end_time: momentOf(startedAt + 30 * minute) })
  await passUntil(startedAt + 10 * minute)
  await call('PUT', `/services/${id}`, { tags: ['web'] })
  const taggedAt = world.clock.now()
  await passUntil(startedAt + 20 * minute)
  expect((await changesOf(world.database, id)).map(({ status, start_time: from }) => [status, from])).toEqual([
    ['failure', startedAt],
    ['paused', taggedAt],
  ])
  await call('PUT', `/services/${id}`, { tags: [] })
  await passUntil(startedAt + 22 * minute)
  const changes = await changesOf(world.database, id)
  expect(changes.map(({ status, pause_reason: reason }) => [status, reason])).toEqual([
    ['failure', null],
    ['paused', 'suspension'],
    ['failure', null],
  ])
  const told = (await intentsOf(world.database, id)).map((row) => row.notification_condition_id)
  expect(told).toEqual(['failure', 'failure'])
})

type Step =
  | { readonly kind: 'tags'; readonly service: number; readonly to: number }
  | { readonly kind: 'group'; readonly service: number; readonly to: number }
  | {
      readonly kind: 'suspend'
      readonly group: number | null
      readonly tag: number | null
      readonly from: number
      readonly length: number
    }
  | { readonly kind: 'cut'; readonly which: number }
  | { readonly kind: 'withdraw'; readonly which: number }
  | { readonly kind: 'drop_tag'; readonly which: number }

const upTo = (max: number) => fc.integer({ min: 0, max })
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tags' as const), service: upTo(1), to: upTo(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('group' as const), service: upTo(1), to: upTo(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('suspend' as const),
      ...{ group: fc.option(upTo(1)), tag: fc.option(upTo(1)) },
      ...{ from: fc.integer({ min: -10, max: 20 }), length: fc.integer({ min: 1, max: 25 }) },
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'withdraw' as const), which: upTo(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop_tag' as const), which: upTo(1) }) },
)

interface Plan {
  readonly id: number
  readonly group: number | null
  readonly tag: number | null
  readonly from: number
  to: number
}

interface Place {
  group: number
  tags: readonly number[]
}

/** A second reading of the rule: who is covered at one moment, asked at every moment at which that can change. */
class Story {
  plans: Plan[] = []
  readonly places: Place[]
  readonly #covered: [from: number, to: number][][]
  #at: number

  constructor(services: number, at: number) {
    this.#at = at
    this.places = Array.from({ length: services }, () => ({ group: 0, tags: [] }))
    this.#covered = this.places.map(() => [])
  }

  isCovered(service: number, at: number): boolean {
    const place = this.places[service] ?? { group: -1, tags: [] }
    return this.plans.some(
      ({ group, tag, from, to }) =>
        from <= at && at < to && (group ?? place.group) === place.group && (tag === null || place.tags.includes(tag)),
    )
  }

  /** Everything stays as it is until then. */
  passUntil(at: number): void {
    const edges = this.plans.flatMap(({ from, to }) => [from, to]).filter((edge) => this.#at < edge && edge < at)
    const moments = [this.#at, ...new Set(edges.toSorted((one, other) => one - other)), at]
    for (const [index, to] of moments.slice(1).entries()) {
      const from = moments[index] ?? to
      for (const service of this.places.keys()) if (this.isCovered(service, from)) this.#add(service, from, to)
    }
    this.#at = at
  }

  #add(service: number, from: number, to: number): void {
    const list = this.#covered[service] ?? []
    const last = list.at(-1)
    if (last?.[1] === from) last[1] = to
    else if (from < to) list.push([from, to])
  }

  /** Status changes: a stop at its moment, and ok again with the first round after it. */
  changes(service: number, rounds: readonly number[]): readonly (readonly [string, number])[] {
    const covered = this.#covered[service] ?? []
    const events = [
      ...covered.map(([from]) => ({ at: from, status: 'paused' })),
      ...rounds.map((at) => ({ at, status: 'ok' })),
    ].toSorted((one, other) => one.at - other.at)
    return events
      .filter(({ status }, index) => events[index - 1]?.status !== status)
      .map(({ at, status }) => [status, at] as const)
  }

  /** No round starts while something covers the service. */
  roundsWithin(service: number, rounds: readonly number[]): readonly number[] {
    return rounds.filter((at) => this.#covered[service]?.some(([from, to]) => from <= at && at < to))
  }
}

/** Takes the step in the program and in the story. */
async function take(step: Step, story: Story, ids: readonly number[], groups: readonly number[]): Promise<void> {
  const now = world.clock.now()
  if (step.kind === 'tags' || step.kind === 'group') {
    const place = story.places[step.service]
    if (place === undefined) return
    if (step.kind === 'group') place.group = step.to
    else place.tags = tagSets[step.to] ?? []
    const body =
      step.kind === 'group' ? { group_id: groups[step.to] } : { tags: place.tags.map((tag) => tagNames[tag]) }
    await call('PUT', `/services/${ids[step.service]}`, body)
  } else if (step.kind === 'suspend') {
    // Suspensions are in whole seconds.
    const second = Math.floor(now / 1000) * 1000
    const from = second + step.from * minute
    const to = Math.max(from, second) + step.length * minute
    const where = {
      ...(step.group === null ? {} : { group_id: groups[step.group] }),
      ...(step.tag === null ? {} : { tag: tagNames[step.tag] }),
    }
    const times = { start_time: momentOf(from), end_time: momentOf(to) }
    const id = await call('POST', '/wide_suspensions', { ...where, ...times })
    story.plans.push({ id, group: step.group, tag: step.tag, from, to })
  } else if (step.kind === 'drop_tag') {
    await dropTag(step.which, story)
  } else {
    const plan = story.plans[step.which]
    if (plan === undefined || (step.kind === 'cut' && plan.from > now - 1000)) return
    if (step.kind === 'cut') {
      plan.to = Math.min(plan.to, now)
      await call('PUT', `/wide_suspensions/${plan.id}`, { end_time: momentOf(Math.floor(plan.to / 1000) * 1000) })
    } else {
      story.plans.splice(step.which, 1)
      await call('DELETE', `/wide_suspensions/${plan.id}`)
    }
  }
}

async function dropTag(tag: number, story: Story): Promise<void> {
  const [found] = (await world.call('alice', 'GET', `/tags?name=${tagNames[tag]}`)).body as { id: number }[]
  await call('DELETE', `/tags/${found?.id}`)
  await call('POST', '/tags', { name: tagNames[tag] })
  story.plans = story.plans.filter((plan) => plan.tag !== tag)
  for (const place of story.places) place.tags = place.tags.filter((one) => one !== tag)
}

test(
  'whatever comes and goes, a service is paused from the moment in which something covers it until the first round after',
  async () => {
    await clear()
    const groups = [await call('POST', '/groups', { name: 'One' }), await call('POST', '/groups', { name: 'Two' })]
    const told = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.boolean(), steps), {
      minLength: 2,
      maxLength: 10,
    })
    await fc.assert(
      fc.asyncProperty(told, async (steps) => {
        await clear()
        for (const name of tagNames) await call('POST', '/tags', { name })
        // Between the seconds of rounds.
        world.clock.advanceTo(Math.ceil(world.clock.now() / minute) * minute + 337)
        const ids = [await newService({ group_id: groups[0] }), await newService({ group_id: groups[0] })]
        await monitoring.drain()
        const story = new Story(ids.length, world.clock.now())
        for (const [minutes, isLate, step] of steps) {
          const at = world.clock.now() + minutes * minute
          if (isLate) world.clock.advanceTo(at)
          else await passUntil(at)
          story.passUntil(at)
          await take(step, story, ids, groups)
        }
        const endedAt = world.clock.now() + 40 * minute
        await passUntil(endedAt)
        story.passUntil(endedAt)
        for (const [service, id] of ids.entries()) {
          const ofService = stations.jobs.filter(({ serviceId }) => serviceId === id)
          const rounds = [...new Set(ofService.map(({ startAt }) => startAt))].toSorted((one, other) => one - other)
          const found = (await changesOf(world.database, id)).map(({ status, start_time: from }) => [status, from])
          expect(found).toEqual(story.changes(service, rounds))
          expect(story.roundsWithin(service, rounds)).toEqual([])
        }
      }),
      { numRuns: 20 },
    )
  },
  patiently.timeout * 4,
)
