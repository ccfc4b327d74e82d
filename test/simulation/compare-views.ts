import { isDeepStrictEqual } from 'node:util'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { timeZoneName } from '../../src/domain/calendars/time-zones.ts'
import { lastDays } from '../../src/domain/service-level/history-bars.ts'
import type { Person } from '../support/people.ts'
import { idOf } from '../support/replies.ts'
import type { Disagreement } from './compare.ts'
import { type Level, levelOf, type Seconds, secondsOf } from './model/level.ts'
import type { Life } from './model/life.ts'
import type { Script, ServiceScript } from './script.ts'
import { daysOfPage, makePage, type SimulatedPage } from './simulated-page.ts'
import type { Stage } from './stage.ts'
import { type Days, daysOfConsole, levelsOfDays, type Part, partsOfChart, partsOfReport } from './view-parts.ts'

/** Services of each owner of which all views are compared: the status page shows every one. */
const servicesEach = 4

export interface ViewComparison {
  readonly found: readonly Disagreement[]
  readonly parts: number
  /** Days that a late correction changed on a status page. */
  readonly corrected: number
}

/** An owner's page, and the services that it shows: those with corrections first. */
interface Shown {
  readonly owner: Person
  readonly services: readonly ServiceScript[]
  readonly page: SimulatedPage
  readonly days: Days
}

/**
 * Asks every view that tells how long a service was in a state: the days of a public status page, the bars of the
 * console, the service level of each day, the chart and the report. Each of their parts is counted beside them,
 * corrections included. Then corrects what was shown, and looks at it again within a minute.
 */
export async function viewDisagreements(
  stage: Stage,
  script: Script,
  expected: ReadonlyMap<number, Life>,
): Promise<ViewComparison> {
  const found: Disagreement[] = []
  let [parts, corrected] = [0, 0]
  const now = Math.floor(script.to / 1000) * 1000
  const pages: Shown[] = []
  for (const owner of new Set(script.services.map((service) => service.owner))) {
    const shown = await shownOf(stage, owner, script, now)
    if (shown === null) continue
    pages.push(shown)
    const told = await partsOf(stage, shown, { from: script.from, to: now })
    parts += told.length
    found.push(...differences(told, script, expected))
  }
  for (const { shown, service } of await correctLate(stage, script, pages)) {
    const closed = { ...shown, days: shown.days.filter(({ toAt }) => toAt <= now) }
    const told = await daysAfter(stage, closed, service, now)
    parts += told.length
    corrected += changedBy(service, told, script, expected)
    found.push(...differences(told, script, expected))
  }
  return { found, parts, corrected }
}

async function shownOf(stage: Stage, owner: Person, script: Script, now: number): Promise<Shown | null> {
  const reply = await stage.call(owner, 'GET', '/services?is_archived=false&fields=id,group_id&limit=1000')
  if (reply.status !== 200) return null
  // Some have moved to other groups since they were made.
  const groupOf = new Map(
    (reply.body as readonly { id: number; group_id: number }[]).map((one) => [one.id, one.group_id]),
  )
  const services = script.services
    .filter((service) => service.owner === owner && service.createdAt < script.to && groupOf.has(service.id))
    .toSorted((one, other) => other.corrections.length - one.corrections.length)
  if (services.length === 0) return null
  const account = await stage.call(owner, 'GET', '/accounts/my_account?fields=time_zone_id')
  const { time_zone_id: zoneId } = account.body as { time_zone_id: string }
  const days = lastDays(now, 90, timeZoneName(zoneId) ?? 'UTC').filter(({ toAt }) => toAt > script.from)
  return { owner, services, days, page: await makePage(stage, { owner, zoneId }, services, groupOf) }
}

async function partsOf(
  stage: Stage,
  { services, page, days }: Shown,
  range: { readonly from: number; readonly to: number },
): Promise<readonly Part[]> {
  const parts = [...(await daysOfPage(stage, page, days, range.to))]
  for (const service of services.slice(0, servicesEach)) {
    parts.push(
      ...(await daysOfConsole(stage, service, days, range.to)),
      ...(await levelsOfDays(stage, service, days, range.to)),
      ...(await partsOfChart(stage, service, range)),
      ...(await partsOfReport(stage, service, range)),
    )
  }
  return parts
}

/** The model's seconds of a part. */
function countedBy(script: Script, expected: ReadonlyMap<number, Life>): (part: Part) => Level {
  const known = new Map<ServiceScript, Seconds>()
  return ({ services, from, to }) => {
    const sum = { ok: 0, failure: 0, paused: 0 }
    for (const service of services) {
      const seconds = known.get(service) ?? secondsOf(script, expected.get(service.id)?.changes ?? [], service)
      known.set(service, seconds)
      const { ok, failure, paused } = levelOf(seconds, script, { from, to }, service.createdAt)
      sum.ok += ok
      sum.failure += failure
      sum.paused += paused
    }
    return sum
  }
}

/** The first disagreement of each service. */
function differences(parts: readonly Part[], script: Script, expected: ReadonlyMap<number, Life>): Disagreement[] {
  const found = new Map<number, Disagreement>()
  const count = countedBy(script, expected)
  for (const part of parts) {
    const { services, from, to, where, ...program } = part
    const [service] = services
    if (service === undefined || found.has(service.id)) continue
    const model = count(part)
    if (isDeepStrictEqual(model, program)) continue
    found.set(service.id, { service, at: from, expected: { where, from, to, ...model }, seen: program })
  }
  return [...found.values()]
}

const minute = 60_000
const correctionLasts = 36 * 60 * minute

/** Corrects the first service of each page, after visitors have seen it. A minute passes. */
async function correctLate(stage: Stage, { from, to }: Script, pages: readonly Shown[]) {
  const start = Math.floor((from + (to - from) * 0.4) / 1000) * 1000 + 1000
  const corrected = []
  for (const [index, shown] of pages.entries()) {
    const [service] = shown.services
    if (service === undefined) continue
    const status = index % 2 === 0 ? 'failure' : 'ok'
    const correction = { from: start, to: Math.min(start + correctionLasts, to), status } as const
    const times = { start_time: formatMoment(correction.from), end_time: formatMoment(correction.to) }
    idOf(await stage.call(shown.owner, 'POST', '/corrections', { service_id: service.id, status, ...times }))
    corrected.push({ shown, service: { ...service, corrections: [...service.corrections, correction] } })
  }
  stage.api.clock.advance(minute)
  return corrected
}

async function daysAfter(
  stage: Stage,
  { page, days }: Pick<Shown, 'page' | 'days'>,
  service: ServiceScript,
  now: number,
): Promise<readonly Part[]> {
  const ofNow = (one: ServiceScript) => (one.id === service.id ? service : one)
  const onPage = await daysOfPage(stage, page, days, now)
  return [
    ...onPage.map((part) => ({ ...part, services: part.services.map(ofNow) })),
    ...(await daysOfConsole(stage, service, days, now)),
    ...(await levelsOfDays(stage, service, days, now)),
  ]
}

/** Days of the page that the last correction of the service changed. */
function changedBy(
  service: ServiceScript,
  parts: readonly Part[],
  script: Script,
  expected: ReadonlyMap<number, Life>,
): number {
  const count = countedBy(script, expected)
  const before = { ...service, corrections: service.corrections.slice(0, -1) }
  return parts.filter((part) => {
    if (part.services[0] !== service || !part.where.startsWith('status page')) return false
    return !isDeepStrictEqual(count(part), count({ ...part, services: [before, ...part.services.slice(1)] }))
  }).length
}
