import { cutBytes } from './cut-text.ts'
import { digest } from './digest.ts'
import type { EventBody } from './event.ts'
import { choice, optionalLines, optionalSecret, url } from './fields.ts'
import { integration, type Notification } from './integration.ts'
import { secretPattern, signatureHeaders } from './webhook-signature.ts'
import { asJsonText, fillTemplate, templateProblem } from './webhook-template.ts'

const jsonType = 'application/json'

/** Bytes; receivers of Standard Webhooks accept 20 KB. */
const longestBody = 20_000
const longestText = 4000
const mostChecks = 50

/** Long texts quoted from remote servers would make the body too long. */
function bounded(event: EventBody): EventBody {
  const { data } = event
  const short = data.checks
    .slice(0, mostChecks)
    .map((check) => ({ ...check, message: check.message?.slice(0, 200) ?? null }))
  const message = { ...data.message, text: cutBytes(data.message.text, longestText) }
  const whole = { ...event, data: { ...data, checks: short, message } }
  return JSON.stringify(whole).length < longestBody ? whole : { ...whole, data: { ...whole.data, checks: [] } }
}

/** Parses lines of `Name: value`. */
function headersOf(text: string | null): Readonly<Record<string, string>> {
  const lines = (text ?? '').split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
}

function typeOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? jsonType
}

function escapeFor(type: string): (text: string) => string {
  if (/json/i.test(type)) return asJsonText
  return /x-www-form-urlencoded/i.test(type) ? encodeURIComponent : (text) => text
}

/** The event of a message without one, such as a code. */
function plainEvent({ condition, decidedAt, subject, text }: Notification): EventBody {
  const data = { service: null, status_change: null, analysis: null, checks: [], message: { subject, text } }
  return { type: condition, timestamp: new Date(decidedAt).toISOString().replace(/\.\d+Z$/, 'Z'), data }
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const webhook = integration({
  id: 'webhook',
  words: {
    en: { name: 'Webhook', description: 'A request to a server of your own, signed by Standard Webhooks.' },
    pl: { name: 'Webhook', description: 'Zapytanie do własnego serwera, podpisane według Standard Webhooks.' },
  },
  vendor: null,
  fields: {
    url: url({
      en: { label: 'URL', description: 'Where the request goes.' },
      pl: { label: 'Adres URL', description: 'Dokąd idzie zapytanie.' },
    }),
    secret: optionalSecret(
      {
        en: {
          label: 'Signing secret',
          description:
            'whsec_ and at least 24 random bytes in Base64. While you change it, the new one, a space and the old one: both sign.',
        },
        pl: {
          label: 'Sekret podpisu',
          description:
            'whsec_ i co najmniej 24 losowe bajty w Base64. W czasie zmiany: nowy, spacja i stary; podpisują oba.',
        },
      },
      {
        pattern: secretPattern,
        expected: {
          en: 'Expected whsec_ and at least 32 characters of Base64, once or twice with a space between.',
          pl: 'Oczekiwane jest whsec_ i co najmniej 32 znaki Base64, raz albo dwa razy ze spacją między nimi.',
        },
      },
    ),
    method: choice(
      {
        en: { label: 'Method', description: 'GET sends no body.' },
        pl: { label: 'Metoda', description: 'GET nie wysyła treści.' },
      },
      { choices: ['POST', 'PUT', 'PATCH', 'GET'], standard: 'POST' },
    ),
    headers: optionalLines(
      {
        en: { label: 'Headers', description: 'One “Name: value” in a line. They cannot be read back.' },
        pl: { label: 'Nagłówki', description: 'W każdym wierszu „Nazwa: wartość”. Nie można ich odczytać.' },
      },
      { longest: 4000, grammar: 'request_headers', isSecret: true },
    ),
    body_template: optionalLines(
      {
        en: {
          label: 'Body',
          description:
            'Empty: the event as JSON. {{data.service.name}} and the like stand for its members, {{json data.checks}} for one as JSON; /docs/templates.html explains the language.',
        },
        pl: {
          label: 'Treść',
          description:
            'Puste: zdarzenie jako JSON. {{data.service.name}} i podobne oznaczają jego pola, {{json data.checks}} pole jako JSON; język opisuje /docs/templates.html.',
        },
      },
      { longest: 10_000 },
    ),
  },
  isIdempotent: true,
  isForPrograms: true,
  switchesOff: [404, 410],
  problems: ({ body_template: template }) => {
    const expected = template === null ? null : templateProblem(template)
    return expected === null ? [] : [{ field: 'body_template', expected }]
  },
  /** Apprise's form of a webhook. An address of the web alone does not say that it is one. */
  detect({ protocol, username, host, pathname, search }) {
    if (!['json:', 'jsons:'].includes(protocol) || username !== '' || host === '' || search !== '') return null
    return { url: `${protocol === 'jsons:' ? 'https' : 'http'}://${host}${pathname}` }
  },
  label({ url: address }) {
    const { host, pathname } = new URL(address)
    return `${host}${pathname === '/' ? '' : pathname}`
  },
  request(notification, { url: address, secret, method, headers: lines, body_template: template }) {
    const { key, event, sentAt, decidedAt } = notification
    const headers = headersOf(lines)
    const type = typeOf(headers)
    const whole = bounded(event ?? plainEvent(notification))
    const body =
      method === 'GET'
        ? null
        : template === null
          ? JSON.stringify(whole)
          : (fillTemplate(template, whole, escapeFor(type)) ?? JSON.stringify(whole))
    const signed = signatureHeaders({ id: digest(key), sentAt: sentAt ?? decidedAt, body: body ?? '' }, secret)
    return { url: address, method, headers: { ...headers, ...signed }, text: body, type }
  },
})
