import type { Wording } from '../channels/wording.ts'
import { longestSubject, longestText, type MessageTemplate } from '../domain/notification/message-template.ts'
import type { NoticeFacts, TestFacts } from '../domain/notification/notice.ts'
import { readTemplate } from '../domain/notification/template.ts'
import { renderTemplate, type TemplateValue } from '../domain/notification/template-render.ts'
import { oneLine, visible } from '../domain/text/one-line.ts'
import { filtersFor } from '../wording/template-filters.ts'
import { plainHtml } from './plain-html.ts'
import type { Reader } from './reader.ts'
import { templateValues } from './template-values.ts'

/**
 * The message as worded by a template. A part that cannot be filled in, or comes out empty, gets its default wording: a
 * template never loses a message.
 */
export function wordByTemplate(
  template: MessageTemplate,
  facts: NoticeFacts | TestFacts,
  reader: Reader,
  usual: Wording,
): Wording {
  const values = templateValues(facts, reader, usual)
  const subject = oneLine(filled(template.subject, values, reader) ?? '', longestSubject)
  const text = linesOf(filled(template.body, values, reader) ?? '')
  if (text === '') return { ...usual, subject: subject === '' ? usual.subject : subject }
  const worded = { ...usual, subject: subject === '' ? usual.subject : subject, text: `${text}\n` }
  if (usual.html === undefined) return worded
  return { ...worded, html: plainHtml(text, { language: reader.language, hasPicture: usual.picture !== undefined }) }
}

function filled(source: string, values: TemplateValue, { zone }: Reader): string | null {
  const { nodes } = readTemplate(source)
  return nodes === null ? null : renderTemplate(nodes, values, { filters: filtersFor(zone), longest: longestText })
}

/** Lines without what is not for the eye. */
function linesOf(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => visible(line).trimEnd())
  return lines.join('\n').trim()
}
