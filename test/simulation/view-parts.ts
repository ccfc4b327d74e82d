import { formatMoment } from '../../src/domain/calendars/time.ts'
import type { CalendarDay } from '../../src/domain/service-level/history-bars.ts'
import { idOf } from '../support/replies.ts'
import { makeReports } from '../support/reports.ts'
import type { Level } from './model/level.ts'
import type { ServiceScript, Stretch } from './script.ts'
import type { Stage } from './stage.ts'

/** A time of which a view says how long services were in each state. */
export interface Part extends Level, Stretch {
  readonly where: string
  /** Their seconds are added. */
  readonly services: readonly ServiceScript[]
}

export type Days = readonly CalendarDay[]

/** Bars of days as parts; a day that the view lacks has -1 seconds. */
export function onDays(
  { where, services }: Pick<Part, 'where' | 'services'>,
  bars: readonly (Level & { readonly date: string })[],
  days: Days,
  now: number,
): Part[] {
  return days.map(({ date, fromAt, toAt }) => {
    const { ok, failure, paused } = bars.find((bar) => bar.date === date) ?? { ok: -1, failure: -1, paused: -1 }
    return { services, where: `${where} ${date}`, from: fromAt, to: Math.min(toAt, now), ok, failure, paused }
  })
}

export async function daysOfConsole(
  stage: Stage,
  service: ServiceScript,
  days: Days,
  now: number,
): Promise<readonly Part[]> {
  const reply = await stage.call(service.owner, 'GET', `/services/history_bars?id=${service.id}&days=90`)
  const [shown] = reply.body as readonly { days: readonly (Level & { date: string })[] }[]
  return onDays({ where: 'bars', services: [service] }, shown?.days ?? [], days, now)
}

const rangeOf = ({ from, to }: Stretch) => `from=${formatMoment(from)}&to=${formatMoment(to)}`

/** Asks for the service level of each day. */
export async function levelsOfDays(
  stage: Stage,
  service: ServiceScript,
  days: Days,
  now: number,
): Promise<readonly Part[]> {
  const parts: Part[] = []
  for (const { date, fromAt, toAt } of days) {
    const range = { from: fromAt, to: Math.min(toAt, now) }
    const { id, owner } = service
    const reply = await stage.call(owner, 'GET', `/services/${id}/history/service_level?${rangeOf(range)}`)
    const { ok, failure, paused } = reply.body as Level
    parts.push({ services: [service], where: `service level ${date}`, ...range, ok, failure, paused })
  }
  return parts
}

interface ShownPart extends Level {
  readonly start_time: string
  readonly end_time: string
}

function shownParts(where: string, service: ServiceScript, parts: readonly ShownPart[]): Part[] {
  return parts.map(({ start_time: from, end_time: to, ok, failure, paused }) => ({
    ...{ where, services: [service], from: Date.parse(from), to: Date.parse(to), ok, failure, paused },
  }))
}

export async function partsOfChart(stage: Stage, service: ServiceScript, range: Stretch): Promise<readonly Part[]> {
  const { id, owner } = service
  const reply = await stage.call(owner, 'GET', `/services/${id}/charts/availability?${rangeOf(range)}`)
  return shownParts('chart', service, reply.body as readonly ShownPart[])
}

export async function partsOfReport(
  stage: Stage,
  service: ServiceScript,
  { from, to }: Stretch,
): Promise<readonly Part[]> {
  const { id, owner } = service
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
  return [
    { where: 'report', services: [service], from, to, ok, failure, paused },
    ...shownParts('part of the report', service, parts),
  ]
}
