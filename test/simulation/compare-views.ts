import { isDeepStrictEqual } from 'node:util'
import { lastDays } from '../../src/domain/history-bars.ts'
import { formatMoment } from '../../src/domain/time.ts'
import { timeZoneName } from '../../src/domain/time-zones.ts'
import type { Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'
import { makeReports } from '../support/reports.ts'
import type { Disagreement } from './compare.ts'
import { type Level, levelOf, secondsOf } from './model/level.ts'
import type { Life } from './model/life.ts'
import type { Script, ServiceScript } from './script.ts'
import type { Stage } from './stage.ts'

/** Services of each owner whose views are compared: each costs a status page, a chart and a part of a report. */
const servicesEach = 4

interface Part extends Level {
  readonly from: number
  readonly to: number
  readonly where: string
}

/**
 * Asks every view that tells how long a service was in a state: the days of a public status page, the bars of the
 * console, the chart and the report. Each of their parts is counted beside them, corrections included.
 */
export async function viewDisagreements(
  stage: Stage,
  script: Script,
  expected: ReadonlyMap<number, Life>,
): Promise<{ readonly found: readonly Disagreement[]; readonly parts: number }> {
  const found: Disagreement[] = []
  let parts = 0
  for (const owner of new Set(script.services.map((service) => service.owner))) {
    const services = await readable(stage, owner, script)
    for (const service of services) {
      const seconds = secondsOf(script, expected.get(service.id)?.changes ?? [], service)
      for (const part of await partsOf(stage, script, service)) {
        parts++
        const model = levelOf(seconds, script, part, service.createdAt)
        const { from, to, where, ...program } = part
        if (isDeepStrictEqual(model, program)) continue
        found.push({ service, at: from, expected: { where, from, to, ...model }, seen: program })
        break
      }
    }
  }
  return { found, parts }
}

/** Services of the owner that it can read at the end of the story, those with corrections first. */
async function readable(stage: Stage, owner: Person, { services, to }: Script): Promise<readonly ServiceScript[]> {
  const reply = await stage.call(owner, 'GET', '/services?is_archived=false&fields=id&limit=1000')
  if (reply.status !== 200) return []
  const ids = new Set((reply.body as readonly { id: number }[]).map(({ id }) => id))
  return services
    .filter((service) => service.owner === owner && service.createdAt < to && ids.has(service.id))
    .toSorted((one, other) => other.corrections.length - one.corrections.length)
    .slice(0, servicesEach)
}

async function partsOf(stage: Stage, script: Script, service: ServiceScript): Promise<readonly Part[]> {
  const account = await stage.call(service.owner, 'GET', '/accounts/my_account?fields=time_zone_id')
  const zone = timeZoneName((account.body as { time_zone_id: string }).time_zone_id) ?? 'UTC'
  const now = Math.floor(script.to / 1000) * 1000
  const days = lastDays(now, 90, zone).filter(({ toAt }) => toAt > script.from)
  return [
    ...(await daysOfPage(stage, service, days, now)),
    ...(await daysOfConsole(stage, service, days, now)),
    ...(await partsOfChart(stage, service, { from: script.from, to: now })),
    ...(await partsOfReport(stage, service, { from: script.from, to: now })),
  ]
}

type Days = ReturnType<typeof lastDays>
type Range = { readonly from: number; readonly to: number }

function onDays(where: string, bars: readonly (Level & { readonly date: string })[], days: Days, now: number): Part[] {
  return days.map(({ date, fromAt, toAt }) => {
    const { ok, failure, paused } = bars.find((bar) => bar.date === date) ?? { ok: -1, failure: -1, paused: -1 }
    return { where: `${where} ${date}`, from: fromAt, to: Math.min(toAt, now), ok, failure, paused }
  })
}

async function daysOfPage(
  stage: Stage,
  { id, owner }: ServiceScript,
  days: Days,
  now: number,
): Promise<readonly Part[]> {
  const slug = `service-${id}`
  const account = await stage.call(owner, 'GET', '/accounts/my_account?fields=time_zone_id')
  const { time_zone_id } = account.body as { time_zone_id: string }
  const page = idOf(await stage.call(owner, 'POST', '/status_pages', { slug, title: 'Page', time_zone_id }))
  const component = { status_page_id: page, name: 'Service', service_id: id }
  idOf(await stage.call(owner, 'POST', '/status_page_components', component))
  const shown = await stage.api.pages.find(slug, '192.0.2.0')
  return onDays('status page', shown?.snapshot.components[0]?.bars ?? [], days, now)
}

async function daysOfConsole(
  stage: Stage,
  { id, owner }: ServiceScript,
  days: Days,
  now: number,
): Promise<readonly Part[]> {
  const reply = await stage.call(owner, 'GET', `/services/history_bars?id=${id}&days=90`)
  const [service] = reply.body as readonly { days: readonly (Level & { date: string })[] }[]
  return onDays('bars', service?.days ?? [], days, now)
}

interface ShownPart extends Level {
  readonly start_time: string
  readonly end_time: string
}

function shownParts(where: string, parts: readonly ShownPart[]): Part[] {
  return parts.map(({ start_time: from, end_time: to, ok, failure, paused }) => ({
    ...{ where, from: Date.parse(from), to: Date.parse(to), ok, failure, paused },
  }))
}

async function partsOfChart(stage: Stage, { id, owner }: ServiceScript, { from, to }: Range): Promise<readonly Part[]> {
  const query = `from=${formatMoment(from)}&to=${formatMoment(to)}`
  const reply = await stage.call(owner, 'GET', `/services/${id}/charts/availability?${query}`)
  return shownParts('chart', reply.body as readonly ShownPart[])
}

async function partsOfReport(
  stage: Stage,
  { id, owner }: ServiceScript,
  { from, to }: Range,
): Promise<readonly Part[]> {
  const scope = { services: { all: false, by_id: [id] } }
  const template = {
    name: 'Views',
    requested_scope: scope,
    section_ids: ['service_level_summary'],
    summary: 'disabled',
  }
  const template_id = idOf(await stage.call(owner, 'POST', '/report_templates', template))
  const order = { template_id, from: formatMoment(from), to: formatMoment(to) }
  const report = idOf(await stage.call(owner, 'POST', '/reports', order))
  await makeReports({ database: stage.api.database, clock: stage.api.clock })
  const reply = await stage.call(owner, 'GET', `/reports/${report}/json`)
  const { results } = reply.body as {
    readonly results: readonly { readonly service_level_summary: Level & { readonly parts: readonly ShownPart[] } }[]
  }
  const [level] = results.map(({ service_level_summary: summary }) => summary)
  if (level === undefined) throw new Error(`The report of service ${id} is empty: ${reply.text}`)
  const { ok, failure, paused, parts } = level
  return [{ where: 'report', from, to, ok, failure, paused }, ...shownParts('part of the report', parts)]
}
