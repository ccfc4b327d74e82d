import type { Database } from '../database/connect.ts'
import { readLevelHistories } from '../database/reports/report-data.ts'
import { type BadgeRow, readBadge, readBadgeTokens, readLanguage } from '../database/status-pages/badge-rows.ts'
import { shownSecond } from '../domain/calendars/time.ts'
import type { Clock } from '../domain/clock.ts'
import { isNoticeable } from '../domain/judging/degraded.ts'
import { availabilityPercent } from '../domain/reports/report-level.ts'
import { serviceLevel } from '../domain/service-level/service-level.ts'
import { type Language, languageOf } from '../wording/language.ts'
import { formatPercent } from '../wording/numbers.ts'
import { statusPageText } from '../wording/status-pages.ts'
import { AtOnce } from './at-once.ts'
import { type BadgeText, badgeColors as colors } from './badge-picture.ts'

/** A badge is made anew at this age. */
const freshMs = 30_000
const dayMs = 86_400_000

export const badgeMetrics = ['state', 'uptime', 'response_time'] as const

export interface AskedBadge {
  readonly token: string
  readonly metric: (typeof badgeMetrics)[number]
  readonly days: number
}

/** How much strangers may make the database work. */
export interface BadgeLimits {
  /** Services in memory; those that nobody asked for longest go first. */
  readonly services: number
  /** Badges of one service that are kept: metrics and numbers of days. */
  readonly ofService: number
  /** Tokens that lead nowhere and are looked up while a badge stays fresh, for one network and in all. */
  readonly unknownOfNetwork: number
  readonly unknown: number
  /** Badges that wait to be made, before no unknown token is looked up. */
  readonly waiting: number
}

const usualLimits: BadgeLimits = { services: 5000, ofService: 12, unknownOfNetwork: 60, unknown: 2000, waiting: 500 }
const mostMadeAtOnce = 4

interface Kept {
  readonly badge: BadgeText
  readonly madeAt: number
}

/** Too much was asked for; the badge may be there. */
export class BadgesBusy extends Error {}

interface BadgesParts {
  readonly database: Database
  readonly clock: Clock
  readonly limits?: BadgeLimits
}

/** Keeps badges in memory; the last ones are shown while the database is away. */
export class Badges {
  readonly #database: Database
  readonly #clock: Clock
  readonly #limits: BadgeLimits
  /** By token, the one asked for last at the end; then by metric and days. */
  readonly #kept = new Map<string, Map<string, Kept>>()
  readonly #making = new Map<string, Promise<BadgeText | null>>()
  readonly #atOnce = new AtOnce(mostMadeAtOnce)
  readonly #unknown = new Set<string>()
  readonly #unknownOf = new Map<string, number>()
  /** All that there were when many unknown ones were asked for; null: they were not read since the count began. */
  #tokens: Promise<ReadonlySet<string>> | null = null
  #countedAt = 0

  constructor({ database, clock, limits = usualLimits }: BadgesParts) {
    this.#database = database
    this.#clock = clock
    this.#limits = limits
  }

  /** Null: there is no such badge. Rejects with `BadgesBusy`, or if the database is away and the badge is new. */
  async find(asked: AskedBadge, network: string): Promise<BadgeText | null> {
    const now = this.#clock.now()
    this.#beginCount(now)
    const own = this.#kept.get(asked.token)
    const key = asked.metric === 'uptime' ? `uptime ${asked.days}` : asked.metric
    const known = own?.get(key)
    if (own !== undefined) {
      this.#kept.delete(asked.token)
      this.#kept.set(asked.token, own)
    }
    if (known !== undefined && Math.abs(now - known.madeAt) < freshMs) return known.badge
    if (this.#unknown.has(asked.token)) return null
    try {
      return await this.#makeOnce(asked, key, network)
    } catch (error) {
      if (known === undefined) throw error
      return known.badge
    }
  }

  /** Once for all who ask meanwhile. */
  #makeOnce(asked: AskedBadge, key: string, network: string): Promise<BadgeText | null> {
    const id = `${asked.token} ${key}`
    const running = this.#making.get(id)
    if (running !== undefined) return running
    const making = this.#makeIfAllowed(asked, key, network).finally(() => this.#making.delete(id))
    this.#making.set(id, making)
    return making
  }

  /** Each number of days costs the database a history, and each unknown token a search. */
  async #makeIfAllowed(asked: AskedBadge, key: string, network: string): Promise<BadgeText | null> {
    const { token } = asked
    const own = this.#kept.get(token)
    if (own !== undefined) {
      const fresh = [...own].filter(([, { madeAt }]) => Math.abs(this.#clock.now() - madeAt) < freshMs)
      if (!own.has(key) && fresh.length >= this.#limits.ofService)
        throw new BadgesBusy('too many badges of one service')
      return this.#atOnce.run(() => this.#makeNow(asked, key))
    }
    if (!this.#mayLookUp(network) && !(await this.#isKnown(token))) throw new BadgesBusy('too many unknown tokens')
    const badge = await this.#atOnce.run(() => this.#makeNow(asked, key))
    // Only unknown tokens count.
    if (badge !== null) this.#countUnknown(network, -1)
    return badge
  }

  /** True while tokens are looked for one by one. */
  #mayLookUp(network: string): boolean {
    const { unknown, unknownOfNetwork, waiting } = this.#limits
    const isFree = this.#making.size < waiting && this.#unknown.size < unknown
    return this.#countUnknown(network, 1) <= unknownOfNetwork && isFree
  }

  #countUnknown(network: string, change: 1 | -1): number {
    const count = Math.max(0, (this.#unknownOf.get(network) ?? 0) + change)
    this.#unknownOf.set(network, count)
    return count
  }

  /** One question for all tokens that are asked for while a badge stays fresh. */
  async #isKnown(token: string): Promise<boolean> {
    this.#tokens ??= readBadgeTokens(this.#database).then((tokens) => new Set(tokens))
    const reading = this.#tokens
    try {
      return (await reading).has(token)
    } catch (error) {
      if (this.#tokens === reading) this.#tokens = null
      throw error
    }
  }

  #beginCount(now: number): void {
    if (Math.abs(now - this.#countedAt) < freshMs) return
    this.#countedAt = now
    this.#unknown.clear()
    this.#unknownOf.clear()
    this.#tokens = null
  }

  async #makeNow(asked: AskedBadge, key: string): Promise<BadgeText | null> {
    const now = this.#clock.now()
    const badge = await this.#make(asked, now)
    if (badge === null) {
      this.#kept.delete(asked.token)
      this.#unknown.add(asked.token)
      return null
    }
    const own = this.#kept.get(asked.token) ?? new Map<string, Kept>()
    own.delete(key)
    own.set(key, { badge, madeAt: now })
    this.#kept.set(asked.token, own)
    forgetFirst(own, this.#limits.ofService)
    forgetFirst(this.#kept, this.#limits.services)
    return badge
  }

  async #make(asked: AskedBadge, now: number): Promise<BadgeText | null> {
    const service = await readBadge(this.#database, asked.token)
    if (service === undefined) return null
    const language = languageOf(await readLanguage(this.#database, service.owner_id))
    const label = statusPageText(`badge_${asked.metric}`, language, { days: asked.days })
    if (asked.metric === 'state') return { label, ...stateOf(service, language, now) }
    if (asked.metric === 'response_time') return { label, ...responseTimeOf(service, language, now) }
    const range = { fromAt: now - asked.days * dayMs, toAt: now }
    const history = (await readLevelHistories(this.#database, [service.id], range)).get(service.id)
    if (history === undefined) return null
    const percent = availabilityPercent(serviceLevel({ ...history, ...range, now: shownSecond(now) * 1000 }))
    return { label, ...uptimeOf(percent, language) }
  }
}

function forgetFirst(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}

type Value = Omit<BadgeText, 'label'>

function isStale({ valid_until: until }: BadgeRow, now: number): boolean {
  return until === null || until <= now
}

function stateOf(service: BadgeRow, language: Language, now: number): Value {
  const { state } = service
  const shown = state === null || (state === 'ok' && isStale(service, now)) ? 'unknown' : state
  if (shown === 'ok' && isNoticeable(service.degraded_reasons))
    return { text: statusPageText('badge_degraded', language), color: colors.middling }
  const color = shown === 'ok' ? colors.good : shown === 'failure' ? colors.bad : colors.grey
  return { text: statusPageText(`badge_${shown}`, language), color }
}

function uptimeOf(percent: number | null, language: Language): Value {
  if (percent === null) return { text: statusPageText('badge_unknown', language), color: colors.grey }
  const color = percent >= 99.9 ? colors.good : percent >= 99 ? colors.middling : colors.bad
  return { text: formatPercent(percent, language), color }
}

function responseTimeOf(service: BadgeRow, language: Language, now: number): Value {
  const { last_response_time: time } = service
  return time === null || isStale(service, now)
    ? { text: statusPageText('badge_unknown', language), color: colors.grey }
    : { text: `${time} ms`, color: colors.good }
}
