import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BadgeRow, readBadge, readLanguage } from '../database/badge-rows.ts'
import type { Database } from '../database/connect.ts'
import { readLevelHistories } from '../database/report-data.ts'
import type { Clock } from '../domain/clock.ts'
import { availabilityPercent } from '../domain/report-level.ts'
import { serviceLevel } from '../domain/service-level.ts'
import { shownSecond } from '../domain/time.ts'
import { html } from '../wording/html.ts'
import { type Language, languageOf } from '../wording/language.ts'
import { formatPercent } from '../wording/numbers.ts'
import { statusPageText } from '../wording/status-pages.ts'

/** A picture is made anew at this age. */
const freshMs = 30_000
/** Pictures in memory. */
const mostKept = 5000
/** Pictures that are made in the time in which one stays fresh. */
const mostLookups = 3000
const dayMs = 86_400_000
const usualDays = 30
const mostDays = 400

const metrics = ['state', 'uptime', 'response_time'] as const

interface Asked {
  readonly token: string
  readonly metric: (typeof metrics)[number]
  readonly days: number
}

interface Kept {
  readonly picture: string | null
  readonly madeAt: number
}

/** Keeps the pictures in memory; the last ones are shown while the database is away. */
export class Badges {
  readonly #database: Database
  readonly #clock: Clock
  readonly #kept = new Map<string, Kept>()
  #countedAt = 0
  #lookups = 0

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database
    this.#clock = clock
  }

  /** Null: there is no such badge. */
  async find(asked: Asked): Promise<string | null> {
    const key = `${asked.token} ${asked.metric} ${asked.days}`
    const known = this.#kept.get(key)
    const now = this.#clock.now()
    if (known !== undefined && Math.abs(now - known.madeAt) < freshMs) return known.picture
    if (this.#isGuessed(known, now)) return null
    try {
      const picture = await this.#make(asked, now)
      if (this.#kept.size >= mostKept) this.#kept.clear()
      this.#kept.set(key, { picture, madeAt: now })
      return picture
    } catch (error) {
      if (known === undefined) throw error
      return known.picture
    }
  }

  /** Tokens cannot be guessed, and nobody may make the database look for too many. */
  #isGuessed(known: Kept | undefined, now: number): boolean {
    if (Math.abs(now - this.#countedAt) >= freshMs) {
      this.#countedAt = now
      this.#lookups = 0
    }
    this.#lookups += 1
    return known === undefined && this.#lookups > mostLookups
  }

  async #make(asked: Asked, now: number): Promise<string | null> {
    const service = await readBadge(this.#database, asked.token)
    if (service === undefined) return null
    const language = languageOf(await readLanguage(this.#database, service.owner_id))
    const label = statusPageText(`badge_${asked.metric}`, language, { days: asked.days })
    if (asked.metric === 'state') return picture(label, stateOf(service, language, now))
    if (asked.metric === 'response_time') return picture(label, responseTimeOf(service, language, now))
    const range = { fromAt: now - asked.days * dayMs, toAt: now }
    const history = (await readLevelHistories(this.#database, [service.id], range)).get(service.id)
    if (history === undefined) return null
    const percent = availabilityPercent(serviceLevel({ ...history, ...range, now: shownSecond(now) * 1000 }))
    return picture(label, uptimeOf(percent, language))
  }
}

interface Value {
  readonly text: string
  readonly color: string
}

/** All of them carry white letters with a contrast of at least 4.5. */
const colors = { good: '#17784b', middling: '#a85a00', bad: '#b3261e', grey: '#52626d' } as const

function isStale({ valid_until: until }: BadgeRow, now: number): boolean {
  return until === null || until <= now
}

function stateOf(service: BadgeRow, language: Language, now: number): Value {
  const { state } = service
  const shown = state === null || (state === 'ok' && isStale(service, now)) ? 'unknown' : state
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

/** Pixels of a letter, roughly; `textLength` makes the text fit exactly. */
const letter = 6.6

function picture(label: string, { text, color }: Value): string {
  const [left, right] = [label, text].map((one) => Math.round([...one].length * letter) + 12) as [number, number]
  const middle = (start: number, width: number) => start + width / 2
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${text}"><title>${label}: ${text}</title><clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3a4750"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="${middle(0, left)}" y="14" textLength="${left - 12}">${label}</text><text x="${middle(left, right)}" y="14" textLength="${right - 12}">${text}</text></g></svg>`
    .markup
}

function askedOf(request: FastifyRequest): Asked | null {
  const { file } = request.params as { readonly file: string }
  const { metric: given = 'state', days: wanted = String(usualDays) } = request.query as Record<string, unknown>
  const token = /^([A-Za-z0-9_-]{43})\.svg$/.exec(file)?.[1]
  const metric = metrics.find((one) => one === given)
  const days = /^\d{1,3}$/.test(String(wanted)) ? Number(wanted) : 0
  return token === undefined || metric === undefined || days < 1 || days > mostDays ? null : { token, metric, days }
}

/** `GET /badges/{token}.svg?metric=&days=` */
export async function sendBadge(badges: Badges, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const asked = askedOf(request)
  const found = asked === null ? null : await badges.find(asked)
  reply.headers({
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  if (found === null) return reply.code(404).header('Cache-Control', 'no-store').send()
  const tag = `W/"${createHash('sha1').update(found).digest('base64url')}"`
  reply.headers({ 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=60', ETag: tag })
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(found)
}
