import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf, withoutPort } from '../domain/access/network.ts'
import { type BadgeStyle, badgePicture, badgeStyles } from './badge-picture.ts'
import { type AskedBadge, type Badges, badgeMetrics } from './badges.ts'

const usualDays = 30
const mostDays = 400

interface Asked extends AskedBadge {
  readonly style: BadgeStyle
}

function askedOf(request: FastifyRequest): Asked | null {
  const { file } = request.params as { readonly file: string }
  const given = request.query as Record<string, unknown>
  const token = /^([A-Za-z0-9_-]{43})\.svg$/.exec(file)?.[1]
  const metric = badgeMetrics.find((one) => one === (given['metric'] ?? 'state'))
  const style = badgeStyles.find((one) => one === (given['style'] ?? 'flat'))
  const wanted = String(given['days'] ?? usualDays)
  const days = /^\d{1,3}$/.test(wanted) ? Number(wanted) : 0
  if (token === undefined || metric === undefined || style === undefined) return null
  return days < 1 || days > mostDays ? null : { token, metric, days, style }
}

/** Seconds after which a visitor may try again. */
const pause = '30'

/** `GET /badges/{token}.svg?metric=&days=&style=` */
export async function sendBadge(badges: Badges, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.headers({
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  const asked = askedOf(request)
  let found = null
  try {
    if (asked !== null) found = await badges.find(asked, networkOf(withoutPort(request.ip)))
  } catch {
    // Nobody learns from the answer whether there is such a badge.
    return reply.code(503).headers({ 'Retry-After': pause, 'Cache-Control': 'no-store' }).send()
  }
  if (asked === null || found === null) return reply.code(404).header('Cache-Control', 'no-store').send()
  const picture = badgePicture(found, asked.style)
  const tag = `W/"${createHash('sha1').update(picture).digest('base64url')}"`
  reply.headers({ 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=60', ETag: tag })
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(picture)
}
