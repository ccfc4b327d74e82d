import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { evenUp, type Pause } from '../auth/even-time.ts'
import type { PagePasswordLimit } from '../auth/page-password-limit.ts'
import { maximumFormBytes } from '../auth/pages/form.ts'
import { networkOf, withoutPort } from '../domain/access/network.ts'
import { html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { statusPageText } from '../wording/status-pages.ts'
import { type AccountsOfVisitor, admit, givePass, hasKey } from './access.ts'
import type { Badges } from './badges.ts'
import type { Documents } from './documents.ts'
import { servedEdition } from './edition.ts'
import { goneIncident } from './history-html.ts'
import type { StatusPages } from './pages.ts'
import { passwordProblem, privateHeaders, sendPasswordForm } from './password-page.ts'
import type { Ready } from './ready.ts'
import { sendBadge } from './send-badge.ts'
import { policyOf, scriptedPolicyOf, shellText } from './shell.ts'
import { isSubscribing, replyTo, type SubscribingReply } from './subscribing/routes.ts'
import type { Subscriptions } from './subscribing/subscriptions.ts'

export interface ServingOptions {
  readonly pages: StatusPages
  readonly badges: Badges
  readonly subscriptions: Subscriptions
  readonly accountsOf: AccountsOfVisitor
  /** Limits wrong passwords. */
  readonly limit: PagePasswordLimit
  /** `https://latarnik.example.com` */
  readonly publicUrl: string
  readonly languageOf: (request: FastifyRequest) => Language
  /** Default: as long as it says. */
  readonly pause?: Pause
}

interface Place {
  readonly slug: string
  /** The name of a document; empty for the page itself. */
  readonly name: string
}

/** `/status/{slug}` and everything below it. */
export function serveStatusPages(server: FastifyInstance, options: ServingOptions): void {
  server.get('/badges/:file', (request, reply) => sendBadge(options.badges, request, reply))
  for (const url of ['/status/:slug', '/status/:slug/*']) {
    server.get(url, (request, reply) => orMissing(options, request, reply, answer))
    server.post(url, { bodyLimit: maximumFormBytes }, (request, reply) => orMissing(options, request, reply, enter))
    server.options(url, (_request, reply) => reply.code(204).headers(preflight).send())
  }
}

/** Scripts of every site may ask with a tag. The answer is the same whether there is a page or not. */
const preflight = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'Accept, If-None-Match',
  'Access-Control-Max-Age': '86400',
} as const

/** No page has it, as it is no slug. */
const nobody = '-'

/**
 * The address within this server of a request to a page's own host; the same address for others. Names that are for
 * pages alone show neither the API nor the console while no page has them.
 */
export function rewrittenUrl(pages: StatusPages, url: string, host: string | undefined): string {
  const name = host?.toLowerCase().replace(/\.?(:\d+)?$/, '')
  if (name === undefined) return url
  const slug = pages.slugOfHost(name) ?? (pages.isForPagesAlone(name) ? nobody : undefined)
  return slug === undefined ? url : `/status/${slug}${url}`
}

function placeOf(request: FastifyRequest): Place {
  const { slug = '', '*': rest = '' } = request.params as { readonly slug?: string; readonly '*'?: string }
  return { slug, name: rest }
}

/** The path that the page has for its visitor. */
function mountOf({ originalUrl, url }: FastifyRequest, slug: string, publicUrl: string): string {
  return originalUrl === url ? `${new URL(publicUrl).pathname.replace(/\/$/, '')}/status/${slug}` : '/'
}

/** There is no such page, or the visitor may not see it. */
const missing = Symbol('missing')
type Answered = FastifyReply | typeof missing

/**
 * Nobody learns whether there is a page that they may not see, nor by the time of the answer: one that must be made
 * takes longer to find than a name that no page has.
 */
async function orMissing(
  options: ServingOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: (options: ServingOptions, request: FastifyRequest, reply: FastifyReply) => Promise<Answered>,
): Promise<FastifyReply> {
  const startedAt = performance.now()
  const answered = await handle(options, request, reply)
  if (answered !== missing) return reply
  await evenUp(performance.now() - startedAt, options.pause)
  return sendNothing(options, request, reply, 404)
}

function sendNothing(options: ServingOptions, request: FastifyRequest, reply: FastifyReply, status: 404 | 503) {
  const language = options.languageOf(request)
  const what = status === 404 ? 'not_found' : 'unavailable'
  const title = statusPageText(`${what}_title`, language)
  const text = shellText({
    ...{ language, title, description: title, accent: null, isIndexed: false, head: html`` },
    content: html`<main>
<h1>${title}</h1>
<p>${statusPageText(what, language)}</p>
</main>`,
  })
  return reply
    .code(status)
    .headers({
      ...privateHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(null),
    })
    .send(text)
}

async function found(
  options: ServingOptions,
  request: FastifyRequest,
  slug: string,
): Promise<Documents | null | 'unavailable'> {
  try {
    return await options.pages.find(slug, networkOf(withoutPort(request.ip)))
  } catch {
    // The room told it already. There is no earlier page to show.
    return 'unavailable'
  }
}

async function answer(options: ServingOptions, request: FastifyRequest, reply: FastifyReply): Promise<Answered> {
  const { slug, name } = placeOf(request)
  const documents = await found(options, request, slug)
  if (documents === null) return missing
  if (documents === 'unavailable') return sendNothing(options, request, reply, 503)
  if (isSubscribing(name)) return subscribe(options, request, reply, documents)
  const { page } = documents.snapshot
  const admission = await admit(request, page, options.accountsOf)
  if (admission === 'hidden') return missing
  if (admission === 'form') {
    return name === '' ? sendPasswordForm(reply.code(403), page, null) : missing
  }
  const document = await documentFor(options, request, documents, name)
  if (document === undefined) {
    const gone = goneIncident(name, documents.snapshot, servedEdition(documents.url))
    return gone === undefined ? missing : sendView(reply, documents, { status: 404, ...gone })
  }
  if (hasKey(request, page)) givePass(reply, page, passPlace(options, request, slug))
  return send(request, reply, documents, document)
}

async function enter(options: ServingOptions, request: FastifyRequest, reply: FastifyReply): Promise<Answered> {
  const { slug, name } = placeOf(request)
  const documents = await found(options, request, slug)
  if (documents === 'unavailable') return sendNothing(options, request, reply, 503)
  if (documents !== null && isSubscribing(name)) return subscribe(options, request, reply, documents)
  const page = documents?.snapshot.page
  if (page?.access !== 'password' || name !== '') return missing
  const problem = await passwordProblem(request, page, options.limit)
  const place = passPlace(options, request, slug)
  if (problem !== null) {
    if (problem.waitSeconds !== null) reply.header('Retry-After', String(problem.waitSeconds))
    return sendPasswordForm(reply.code(problem.waitSeconds === null ? 403 : 429), page, problem.text)
  }
  givePass(reply, page, place)
  return reply.headers(privateHeaders).redirect(place.path, 303)
}

async function subscribe(
  options: ServingOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  documents: Documents,
): Promise<Answered> {
  const { slug, name } = placeOf(request)
  const { snapshot } = documents
  const { page, language } = snapshot
  const base = mountOf(request, slug, options.publicUrl).replace(/\/$/, '')
  const isAdmitted = async () => (await admit(request, page, options.accountsOf)) === 'shown'
  const answered = await replyTo(options.subscriptions, { request, name, snapshot, language, base, isAdmitted }).catch(
    () => 'unavailable' as const,
  )
  if (answered === 'unavailable') return sendNothing(options, request, reply, 503)
  return answered === null ? missing : sendView(reply, documents, answered)
}

function sendView(
  reply: FastifyReply,
  { snapshot, policy }: Documents,
  answered: NonNullable<SubscribingReply>,
): FastifyReply {
  reply.code(answered.status).headers(privateHeaders)
  if ('text' in answered) {
    const ofFile = "default-src 'none'; connect-src 'self'"
    return reply.headers({ 'Content-Type': answered.type, 'Content-Security-Policy': ofFile }).send(answered.text)
  }
  const { title, content, isScripted = false, retryAfter } = answered
  const { page, language } = snapshot
  const accent = page.theme.accent ?? null
  // A link that leads nowhere names no page.
  const whole = answered.status === 404 ? title : `${title} · ${page.title}`
  const named = { title: whole, description: whole }
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter))
  return reply
    .headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': isScripted ? scriptedPolicyOf(accent) : policy,
    })
    .send(shellText({ language, ...named, accent, isIndexed: false, head: html``, content }))
}

function passPlace({ publicUrl }: ServingOptions, request: FastifyRequest, slug: string) {
  return { path: mountOf(request, slug, publicUrl), isSecure: publicUrl.startsWith('https:') }
}

function documentFor(
  { pages }: ServingOptions,
  request: FastifyRequest,
  documents: Documents,
  name: string,
): Ready | Promise<Ready> | undefined {
  const edition = pages.isStale ? 'stale' : 'live'
  if (name !== '') return name.includes('.') ? documents.get(name, edition) : undefined
  const { accept } = request.headers
  const isText = accept?.includes('text/markdown') === true && !accept.includes('text/html')
  return documents.get(isText ? 'markdown' : '', edition)
}

const encodings = ['br', 'gzip', 'identity'] as const
type Chosen = (typeof encodings)[number]
const chosen = new Map<string, Chosen>()
const mostChosen = 1000

/** Browsers send few different headers. */
function encodingFor(request: FastifyRequest): Chosen {
  const accepted = String(request.headers['accept-encoding'] ?? '').slice(0, 200)
  const known = chosen.get(accepted)
  if (known !== undefined) return known
  const [first] = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings([...encodings]) as Chosen[]
  const preferred = /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? 'br' : (first ?? 'identity')
  if (chosen.size >= mostChosen) chosen.clear()
  chosen.set(accepted, preferred)
  return preferred
}

function isKnown(header: string | undefined, tag: string): boolean {
  return header !== undefined && (header.trim() === '*' || header.includes(`"${tag}"`))
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  documents: Documents,
  document: Ready,
): Promise<FastifyReply> {
  const { page } = documents.snapshot
  const { access } = page
  const encoding = encodingFor(request)
  const isPublic = access === 'public'
  reply.headers({
    'Content-Type': document.type,
    'Content-Security-Policy': document.policy ?? documents.policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': isPublic ? 'public, max-age=30, stale-if-error=600' : 'private, no-store',
    // The same content has other bytes in another encoding.
    ETag: `W/"${document.tag}"`,
    Vary: 'Accept, Accept-Encoding',
    ...(isPublic || access === 'link'
      ? { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' }
      : {}),
    // Other sites do not learn by a picture whether their visitors may see the page.
    'Cross-Origin-Resource-Policy': isPublic || hasKey(request, page) ? 'cross-origin' : 'same-origin',
  })
  if (isKnown(request.headers['if-none-match'], document.tag)) return reply.code(304).send()
  if (encoding === 'identity') return reply.send(document.plain)
  const made = document.in(encoding)
  return reply.header('Content-Encoding', encoding).send(made instanceof Buffer ? made : await made)
}
