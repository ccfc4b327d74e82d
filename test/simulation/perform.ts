import sql from 'sql-template-tag'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import type { Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'
import { answerOf, type Happening, type Script, type ServiceScript, type Stretch } from './script.ts'
import type { Stage } from './stage.ts'

/** Lets the program live through the story. */

interface Cue {
  readonly at: number
  /** At one moment, lower numbers come first. */
  readonly order: number
  play(): Promise<void>
}

export async function perform(stage: Stage, script: Script): Promise<void> {
  const byId = new Map(script.services.map((service) => [service.id, service]))
  stage.stations.answer = ({ serviceId, sensorId, startAt }) => {
    // Millions of jobs would be kept for nobody.
    stage.stations.jobs.length = 0
    const service = byId.get(serviceId)
    return service === undefined ? 'unknown' : answerOf(service, sensorId, startAt)
  }
  for (const { name, zoneId } of script.owners) await setZone(stage, name, zoneId)
  for (const { id } of script.sensors) stage.stations.connect(id)
  await stage.program.start()
  for (const cue of cuesOf(stage, script)) {
    await stage.program.until(cue.at)
    await cue.play()
    await stage.program.notice()
  }
  // Events exactly at the end are no longer notified.
  await stage.program.until(script.to - 1)
  await stage.program.stop()
  stage.api.clock.advanceTo(script.to)
}

function cuesOf(stage: Stage, script: Script): Cue[] {
  const cues: Cue[] = []
  const add = (at: number, order: number, play: () => Promise<void>) => {
    if (at < script.to) cues.push({ at, order, play })
  }
  for (const { id, losses } of script.sensors) {
    for (const { from, to } of losses) {
      add(from, 0, async () => stage.stations.disconnect(id))
      add(to, 0, async () => stage.stations.connect(id))
    }
  }
  for (const { from, to } of script.downtimes) {
    add(from, 1, () => stage.program.stop())
    add(to, 1, () => stage.program.start())
  }
  for (const { name, blocks, zoneChanges } of script.owners) {
    const path = `/admin/accounts/${stage.api.people.ids[name]}`
    for (const { from, to } of blocks) {
      add(from, 2, () => done(stage, 'dora', 'POST', `${path}/block`))
      add(to, 2, () => done(stage, 'dora', 'POST', `${path}/unblock`))
    }
    for (const { at, zoneId } of zoneChanges) add(at, 2, () => setZone(stage, name, zoneId))
  }
  for (const service of script.services) {
    const planned = new Map<string, string>()
    add(service.createdAt, 3, () => create(stage, service))
    for (const happening of service.happenings) add(happening.at, 4, () => act(stage, service, happening, planned))
  }
  return cues.toSorted((one, other) => one.at - other.at || one.order - other.order)
}

type Request = readonly [person: Person, method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown]

async function done(stage: Stage, ...request: Request): Promise<void> {
  const reply = await stage.call(...request)
  if (reply.status !== 204) throw new Error(`${request.join(' ')}: ${reply.status} ${reply.text}`)
}

async function setZone(stage: Stage, person: Person, zoneId: string): Promise<void> {
  await done(stage, person, 'PUT', `/accounts/${stage.api.people.ids[person]}`, { time_zone_id: zoneId })
}

async function create(stage: Stage, { id, owner, fields }: ServiceScript): Promise<void> {
  await stage.api.database.query(sql`select setval('services_id_seq', ${id}, false)`)
  const body = {
    ...fields,
    type_id: 'http',
    name: `Service ${id}`,
    address: 'shop.example',
    notification_channel_ids: ['email'],
  }
  const made = idOf(await stage.call(owner, 'POST', '/services', body))
  if (made !== id) throw new Error(`Service ${id} became ${made}.`)
}

async function act(stage: Stage, service: ServiceScript, happening: Happening, planned: Map<string, string>) {
  const [person, path] = [service.owner, `/services/${service.id}`]
  if (happening.kind === 'set') return done(stage, person, 'PUT', path, happening.values)
  if (happening.kind === 'force') return done(stage, person, 'POST', `${path}/force_analysis`)
  if (happening.kind === 'archive') return done(stage, person, 'POST', `${path}/archive`)
  if (happening.kind === 'restore') return done(stage, person, 'POST', `${path}/restore`)
  if (happening.kind === 'move') {
    return done(stage, person, 'PUT', planned.get(happening.key) ?? '', periodOf(happening.once))
  }
  if (happening.kind === 'drop') return done(stage, person, 'DELETE', planned.get(happening.key) ?? '')
  const [resource, values] = planOf(happening)
  const reply = await stage.call(person, 'POST', `/${resource}`, { service_id: service.id, ...values })
  planned.set(happening.key, `/${resource}/${idOf(reply)}`)
}

function planOf(
  happening: Extract<Happening, { kind: 'plan' | 'plan_weekly' }>,
): [string, Readonly<Record<string, unknown>>] {
  const only = { only_notifications: happening.quiet }
  if (happening.kind === 'plan_weekly') {
    return [
      'weekly_suspensions',
      { ...only, start_minute: weekMinute(happening.start), end_minute: weekMinute(happening.end) },
    ]
  }
  return ['suspensions', { ...only, ...periodOf(happening.once) }]
}

function periodOf({ from, to }: Stretch) {
  return { start_time: formatMoment(from), end_time: formatMoment(to) }
}

function weekMinute(minute: number) {
  return { day_of_week: Math.floor(minute / 1440) + 1, hour: Math.floor(minute / 60) % 24, minute: minute % 60 }
}
