import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { pageText } from '../../wording/texts.ts'
import { confirmMailbox, newMailboxOf } from '../email-address.ts'
import { type ActivationLink, activateByLink, readActivation } from '../links.ts'
import { acknowledgeByLink, showFailure } from './acknowledge-page.ts'
import type { WebContext } from './context.ts'
import { maximumFormBytes, readForm } from './form.ts'
import { brokenLink, type Followed, type LinkPage, plainPage } from './link-page.ts'
import { pageHeaders, renderPage } from './page.ts'

/**
 * The pages behind links in mails. Mail scanners and prefetching browsers follow links, so opening one changes nothing:
 * its button does.
 */
export function addLinkRoutes(server: FastifyInstance, { database, clock, languageOf }: WebContext): void {
  const pages = [
    { path: '/activate', show: showActivation, act: activate },
    { path: '/email', show: showMailbox, act: takeMailbox },
    { path: '/acknowledge', show: showFailure, act: acknowledgeByLink },
  ]
  const followed = (request: FastifyRequest, token: unknown): Followed => ({
    token: typeof token === 'string' ? token : '',
    language: languageOf(request),
    now: clock.now(),
  })
  for (const { path, show, act } of pages) {
    server.get(path, async (request, reply) => {
      const { token } = request.query as { token?: unknown }
      return send(reply, await show(database, followed(request, token)))
    })
    server.post(path, { bodyLimit: maximumFormBytes }, async (request, reply) => {
      const form = readForm(request)
      return send(reply, await act(database, { ...followed(request, form?.get('token')), form }))
    })
  }
}

function send(reply: FastifyReply, { status, page }: LinkPage): FastifyReply {
  return reply.code(status).headers(pageHeaders(page)).send(renderPage(page))
}

/** The page of an activation link; it has a button until the account is active. */
export async function showActivation(
  database: Database,
  { language, ...link }: ActivationLink & { readonly language: Language },
): Promise<LinkPage> {
  const found = await readActivation(database, link)
  if (found === null) return brokenLink(language)
  if (found.isUsed) return activated(language, found.username)
  const intro = pageText('activation_asked', language, { username: found.username })
  const title = pageText('activation_asked_title', language)
  return withButton(language, { title, intro, action: '/activate', token: link.token, button: 'activate' })
}

async function activate(database: Database, { language, ...link }: Followed): Promise<LinkPage> {
  const username = await activateByLink(database, link)
  return username === null ? brokenLink(language) : activated(language, username)
}

function activated(language: Language, username: string): LinkPage {
  const title = pageText('activation_title', language)
  return plainPage(language, title, pageText('activation_done', language, { username }))
}

async function showMailbox(database: Database, { token, language, now }: Followed): Promise<LinkPage> {
  const wanted = await newMailboxOf(database, token, now)
  if (wanted === null) return brokenLink(language)
  const title = pageText('email_asked_title', language)
  const intro = pageText('email_asked', language, { ...wanted })
  return withButton(language, { title, intro, action: '/email', token, button: 'confirm_email' })
}

async function takeMailbox(database: Database, { token, language, now }: Followed): Promise<LinkPage> {
  const taken = await confirmMailbox(database, token, now)
  if (taken === null) return brokenLink(language)
  return plainPage(language, pageText('email_done_title', language), pageText('email_done', language, { ...taken }))
}

function withButton(
  language: Language,
  form: {
    readonly title: string
    readonly intro: string
    readonly action: string
    readonly token: string
    readonly button: 'activate' | 'confirm_email'
  },
): LinkPage {
  const content = html`
<p>${form.intro}</p>
<form method="post" action="${form.action}">
<input type="hidden" name="token" value="${form.token}">
<div class="actions"><button type="submit">${pageText(form.button, language)}</button></div>
</form>`
  return { status: 200, page: { language, title: form.title, content } }
}
