import type { HttpRequest } from '../src/outgoing/exchange.ts'

/** A message as its reader sees it. */
export interface Card {
  readonly title: string
  readonly lines: readonly string[]
  readonly buttons: readonly string[]
  /** The colour of the bar beside it; null: none. */
  readonly color: string | null
}

/** The texts of a request, however the vendor arranges them. */
type Body = unknown

/** The member at a path; undefined if there is none. */
function at(value: Body, ...path: readonly (string | number)[]): Body {
  return path.reduce<Body>(
    (part, name) => (typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined),
    value,
  )
}

function textAt(value: Body, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path)
  return found === undefined || found === null ? '' : String(found)
}

function listAt(value: Body, ...path: readonly (string | number)[]): readonly Body[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

function ofHtml(text: string): string {
  const lines = text.replaceAll(/<br>/g, '\n').replaceAll(/<[^>]+>/g, '')
  return lines.replaceAll(/&(lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)
}

/** Markdown, and Slack's own `<address|text>`. */
function ofMarkdown(text: string): string {
  const plain = text
    .replaceAll(/<https?:[^|>]+\|([^>]*)>/g, '$1')
    .replaceAll(/\[((?:\\.|[^\]\\])+)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<!\\)\*+/g, '')
  return ofHtml(plain.replaceAll(/\\([\\*_~`|[\]<>#+-])/g, '$1'))
}

interface Parts {
  readonly buttons?: readonly string[]
  readonly color?: string | null
}

function card(title: string, text: string, { buttons = [], color = null }: Parts = {}): Card {
  const lines = text.split('\n').map((line) => line.trimEnd())
  while (lines.at(-1) === '') lines.pop()
  return { title, lines, buttons: buttons.filter((button) => button !== ''), color }
}

/** The first line is the title. */
function ofLines(text: string, parts: Parts = {}): Card {
  const [title = '', ...rest] = text.split('\n')
  return card(title, rest.join('\n').replace(/^\n+/, ''), parts)
}

function slackCard(body: Body): Card {
  const { attachments } = { attachments: at(body, 'attachments', 0) }
  const [section = '', ...links] = listAt(attachments, 'blocks').map((block) =>
    ofMarkdown(textAt(block, 'text', 'text')),
  )
  return ofLines(section, { buttons: links, color: textAt(attachments, 'color') || null })
}

function attachmentCard(body: Body): Card {
  const shown = at(body, 'attachments', 0)
  const parts = { color: textAt(shown, 'color') || null }
  return card(textAt(shown, 'title'), ofMarkdown(textAt(shown, 'text')), parts)
}

function discordCard(body: Body): Card {
  const embed = at(body, 'embeds', 0)
  if (embed === undefined) return card(ofMarkdown(textAt(body, 'content')), '')
  const color = `#${Number(at(embed, 'color')).toString(16).padStart(6, '0')}`
  return card(ofMarkdown(textAt(embed, 'title')), ofMarkdown(textAt(embed, 'description')), { color })
}

function teamsCard(body: Body): Card {
  const content = at(body, 'attachments', 0, 'content')
  const [title = '', ...lines] = listAt(content, 'body').map((block) => ofMarkdown(textAt(block, 'text')))
  return card(title, lines.join('\n'), { buttons: listAt(content, 'actions').map((one) => textAt(one, 'title')) })
}

function googleCard(body: Body): Card {
  const shown = at(body, 'cardsV2', 0, 'card')
  const [text, list] = listAt(shown, 'sections', 0, 'widgets')
  const buttons = listAt(list, 'buttonList', 'buttons').map((button) => textAt(button, 'text'))
  return card(textAt(shown, 'header', 'title'), ofHtml(textAt(text, 'textParagraph', 'text')), { buttons })
}

function pagerdutyCard(body: Body): Card {
  const action = textAt(body, 'event_action')
  const summary = textAt(body, 'payload', 'summary')
  const buttons = listAt(body, 'links').map((link) => textAt(link, 'text'))
  const text = textAt(body, 'payload', 'custom_details', 'message')
  return summary === ''
    ? card(`${action}: ${textAt(body, 'dedup_key')}`, '')
    : card(`${action}: ${summary}`, text, { buttons })
}

function alertCard(body: Body): Card {
  const message = textAt(body, 'message')
  if (message === '') return ofLines(textAt(body, 'note'))
  return card(`${textAt(body, 'priority')}  ${message}`, textAt(body, 'description'))
}

const readers: Readonly<Record<string, (body: Body) => Card>> = {
  apprise: (body) => card(textAt(body, 'title'), textAt(body, 'body')),
  discord: discordCard,
  google_chat: googleCard,
  gotify: (body) => card(textAt(body, 'title'), textAt(body, 'message')),
  ...{ jsm: alertCard, opsgenie: alertCard },
  matrix: (body) => ofLines(ofHtml(textAt(body, 'formatted_body'))),
  ...{ mattermost: attachmentCard, rocket_chat: attachmentCard },
  ntfy: (body) =>
    card(textAt(body, 'title'), textAt(body, 'message'), {
      buttons: listAt(body, 'actions').map((action) => textAt(action, 'label')),
    }),
  pagerduty: pagerdutyCard,
  pushover: (body) => card(textAt(body, 'title') || 'The emergency is silenced.', textAt(body, 'message')),
  signal: (body) => ofLines(textAt(body, 'message')),
  slack: slackCard,
  splunk_on_call: (body) =>
    card(`${textAt(body, 'message_type')}: ${textAt(body, 'entity_display_name')}`, textAt(body, 'state_message')),
  teams: teamsCard,
  telegram: (body) =>
    ofLines(ofHtml(textAt(body, 'text')), {
      buttons: listAt(body, 'reply_markup', 'inline_keyboard', 0).map((button) => textAt(button, 'text')),
    }),
  twilio_sms: (body) => card('', textAt(body, 'Body')),
  twilio_voice: (body) => card('A call that says:', ofHtml(textAt(body, 'Twiml').replaceAll('</Say>', '\n'))),
  web_push: (body) =>
    card(textAt(body, 'title'), textAt(body, 'body'), {
      buttons: listAt(body, 'buttons').map((button) => textAt(button, 'text')),
    }),
  zulip: (body) => ofLines(ofMarkdown(textAt(body, 'content'))),
}

/**
 * The message of a request as the vendor shows it. Null: only programs read the channel.
 *
 * @param decrypted the content of an encrypted request
 */
export function cardOf(channelId: string, { body, headers }: HttpRequest, decrypted?: unknown): Card | null {
  const isForm = headers['Content-Type']?.includes('form') === true
  const sent = isForm ? Object.fromEntries(new URLSearchParams(body ?? '')) : (decrypted ?? JSON.parse(body ?? '{}'))
  return readers[channelId]?.(sent) ?? null
}

/** A text that a gateway of the operator sends. */
export function textCard(subject: string, text: string): Card {
  return card(subject, text)
}
