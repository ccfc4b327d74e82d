import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formToken } from '../auth/pages/form.ts'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { pageText } from '../wording/texts.ts'
import { analysisPage, type ShownCheck } from './analysis-page.ts'
import type { Account, Analysis, Artifact, Check, Service, StatusChange } from './answers.ts'
import { ask, askBytes } from './ask.ts'
import { type PagesContext, sendPage } from './context.ts'
import { addLogin, loginAddress } from './login.ts'
import { type Reading, zoneOf } from './parts.ts'
import { servicePage } from './service-page.ts'

export interface LinkedPagesOptions extends Pick<PagesContext, 'authenticator'> {
  /** Undefined: where the request came in. */
  readonly publicUrl: string | undefined
}

/** The pages that mails link to, behind a login of their own. They show what the API answers to their reader, and change nothing. */
export function linkedPages({ authenticator, publicUrl }: LinkedPagesOptions) {
  const isSecure = (request: FastifyRequest) => (publicUrl ?? `${request.protocol}:`).startsWith('https:')
  return async (server: FastifyInstance, languageOf: PagesContext['languageOf']): Promise<void> => {
    const whole = { authenticator, isSecure, languageOf }
    addLogin(server, whole)
    server.get('/services/:service(^\\d{1,9}$)', (request, reply) => showService(server, whole, request, reply))
    const analysis = '/services/:service(^\\d{1,9}$)/analyses/:analysis(^\\d{15}$)'
    server.get(analysis, (request, reply) => showAnalysis(server, whole, request, reply))
    server.get(`${analysis}/checks/:sensor(^\\d{1,9}$)/:kind(^(?:content|har|screenshot)$)`, (request, reply) =>
      showArtifact(server, request, reply),
    )
  }
}

type Names = Readonly<Record<'service' | 'analysis' | 'sensor' | 'kind', string>>

const whatIsShown = 'embed=status,group,type'

/** Sends the page, or whoever is not logged in to the login. */
async function show(
  server: FastifyInstance,
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pageOf: (service: Service, reading: Reading) => Promise<{ readonly title: string; readonly content: Html } | null>,
): Promise<FastifyReply> {
  const language = context.languageOf(request)
  const { service: id } = request.params as Names
  const account = await ask<Account>(server, request, '/accounts/my_account')
  if (account.status === 401 || account.status === 403) return reply.redirect(loginAddress(request.url), 303)
  if (account.status !== 200) return sendNothing(reply, language, false)
  const service = await ask<Service>(server, request, `/services/${id}?${whatIsShown}`)
  if (service.status !== 200) return sendNothing(reply, language, service.status === 404)
  const token = formToken(request, reply, context.isSecure(request))
  const page = await pageOf(service.body, { language, zone: zoneOf(account.body), formToken: token })
  return page === null ? sendNothing(reply, language, true) : sendPage(reply, 200, { language, ...page, isWide: true })
}

/** There is no such thing for this reader, or the API cannot tell now. */
function sendNothing(reply: FastifyReply, language: Language, isMissing: boolean): FastifyReply {
  const [title, text] = isMissing ? (['gone_title', 'gone'] as const) : (['trouble_title', 'trouble'] as const)
  const content = html`<p>${pageText(text, language)}</p>`
  return sendPage(reply, isMissing ? 404 : 503, { language, title: pageText(title, language), content })
}

function showService(server: FastifyInstance, context: PagesContext, request: FastifyRequest, reply: FastifyReply) {
  return show(server, context, request, reply, async (service, reading) => {
    const path = `/services/${service.id}/history/status_changes?sort=-start_time&limit=20`
    const changes = await ask<readonly StatusChange[]>(server, request, path)
    return changes.status === 200 ? { title: service.name, content: servicePage(service, changes.body, reading) } : null
  })
}

function showAnalysis(server: FastifyInstance, context: PagesContext, request: FastifyRequest, reply: FastifyReply) {
  return show(server, context, request, reply, async (service, reading) => {
    const { analysis: id } = request.params as Names
    const path = `/services/${service.id}/history/analyses/${id}`
    const analysis = await ask<Analysis>(server, request, path)
    if (analysis.status !== 200) return null
    const { body: checks } = await ask<readonly Check[]>(
      server,
      request,
      `${path}/checks?limit=1000&embed=sensor,error_type`,
    )
    const shown: ShownCheck[] = []
    for (const check of checks) shown.push({ check, artifacts: await artifactsOf(server, request, path, check) })
    return { title: service.name, content: analysisPage(service, analysis.body, shown, reading) }
  })
}

async function artifactsOf(server: FastifyInstance, request: FastifyRequest, path: string, check: Check) {
  if (check.result !== 'error') return []
  const { status, body } = await ask<readonly Artifact[]>(
    server,
    request,
    `${path}/checks/${check.sensor_id}/artifacts`,
  )
  return status === 200 ? body : []
}

/** The bytes as the API sends them: as an attachment, sandboxed. */
async function showArtifact(server: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const { service, analysis, sensor, kind } = request.params as Names
  const check = `/services/${service}/history/analyses/${analysis}/checks/${sensor}`
  const { status, headers, content } = await askBytes(server, request, `${check}/artifacts/${kind}/plain`)
  if (status === 401) return reply.redirect(loginAddress(`/services/${service}/analyses/${analysis}`), 303)
  return reply
    .code(status)
    .headers(headers as Record<string, string>)
    .send(content)
}
