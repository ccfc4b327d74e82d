import type { FastifyReply } from 'fastify'
import { html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { pageText } from '../wording/texts.ts'
import { sendPage } from './context.ts'
import { pathPrefix } from './paths.ts'

/** The page for an unknown address, with a link to the start. */
export function noPage(publicUrl: string | undefined) {
  return (reply: FastifyReply, path: string, language: Language): FastifyReply => {
    const content = html`
<p>${pageText('no_page', language, { path })}</p>
<p><a href="${pathPrefix(publicUrl)}/">${pageText('to_start', language)}</a></p>`
    return sendPage(reply, 404, { language, title: pageText('no_page_title', language), content })
  }
}
