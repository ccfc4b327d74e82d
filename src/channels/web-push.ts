import { createHash, ECDH } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Language } from '../wording/language.ts'
import { buttonsOf, type LinkButton } from './buttons.ts'
import { cutBytes } from './cut-text.ts'
import { secret, secretUrl } from './fields.ts'
import { integration, type Notification } from './integration.ts'

/** Loaded by the first message: an installation without such channels keeps its memory. */
const webPush = (): typeof import('web-push') => createRequire(import.meta.url)('web-push')

/** Push services accept 4096 bytes, encryption included; JSON may write a character as six. */
const longestText = 500
const longestTitle = 150

/** Seconds for which a push service keeps the message for a browser that is off. */
const keptSeconds = 24 * 3600

/**
 * The browser itself fills these in: https://www.w3.org/TR/push-api/#pushsubscription-interface. RFC 8030, 8291 and
 * 8292.
 */
export const webPushChannel = integration({
  id: 'web_push',
  words: {
    en: { name: 'Browser', description: 'A notification of this browser, also while the console is closed.' },
    pl: { name: 'Przeglądarka', description: 'Powiadomienie tej przeglądarki, także gdy konsola jest zamknięta.' },
  },
  vendor: null,
  fields: {
    endpoint: secretUrl(
      {
        en: { label: 'Endpoint', description: 'Where the push service of the browser takes messages.' },
        pl: { label: 'Punkt końcowy', description: 'Gdzie usługa push przeglądarki przyjmuje wiadomości.' },
      },
      {
        pattern: '^https?://[\\x21-\\x7e]+$',
        expected: {
          en: 'Expected the address of a push service.',
          pl: 'Oczekiwany jest adres usługi push.',
        },
      },
    ),
    p256dh: secret(
      {
        en: { label: 'Public key', description: 'The key p256dh of the subscription.' },
        pl: { label: 'Klucz publiczny', description: 'Subskrypcji: p256dh.' },
      },
      {
        pattern: '^B[\\w-]{86}$',
        expected: { en: 'Expected 87 characters of base64url.', pl: 'Oczekiwane jest 87 znaków base64url.' },
      },
    ),
    auth: secret(
      {
        en: { label: 'Secret', description: 'The secret auth of the subscription.' },
        pl: { label: 'Sekret', description: 'Subskrypcji: auth.' },
      },
      {
        pattern: '^[\\w-]{22}$',
        expected: { en: 'Expected 22 characters of base64url.', pl: 'Oczekiwane są 22 znaki base64url.' },
      },
    ),
  },
  problems({ p256dh }) {
    if (isPoint(p256dh)) return []
    const expected = { en: 'Expected a point on the curve P-256.', pl: 'Oczekiwany jest punkt na krzywej P-256.' }
    return [{ field: 'p256dh', expected }]
  },
  switchesOff: [404, 410],
  label: ({ endpoint }) => `${new URL(endpoint).host} …${endpoint.slice(-6)}`,
  goesTo: ({ endpoint }) => endpoint,
  request(notification, { endpoint, p256dh, auth }, { webPushKeys, publicUrl }) {
    if (webPushKeys === undefined) throw new Error('The installation has no key for web push.')
    const { subject, text, condition, threadKey, link } = notification
    const payload = {
      ...{ title: cutBytes(subject, longestTitle), body: cutBytes(text, longestText) },
      ...{ tag: threadKey, url: link, isUrgent: condition === 'failure' },
      buttons: [...buttonsOf(notification).filter(({ url }) => url !== link), ...changeButton(notification)],
    }
    const { headers, body } = webPush().generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(payload),
      {
        vapidDetails: { subject: senderOf(publicUrl), ...webPushKeys },
        ...{ TTL: keptSeconds, urgency: condition === 'failure' ? 'high' : 'normal', topic: topicOf(threadKey) },
      },
    )
    const { 'Content-Type': type = 'application/octet-stream', ...others } = textsOf(headers)
    return { url: endpoint, headers: others, bytes: body, type }
  },
})

/** The text of a message may be cut before its link to leave. */
function changeButton({ changeLink, language = 'en' }: Notification): readonly LinkButton[] {
  return changeLink === undefined ? [] : [{ text: changeWords[language], url: changeLink }]
}

const changeWords: Readonly<Record<Language, string>> = { en: 'Change or leave', pl: 'Zmień lub zrezygnuj' }

function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url', 'base64url', 'compressed')
    return true
  } catch {
    return false
  }
}

/**
 * The latest message about a failure replaces an earlier one that the browser has not fetched. At most 32 characters of
 * base64url.
 */
function topicOf(threadKey: string): string {
  return createHash('sha256').update(threadKey).digest('base64url').slice(0, 32)
}

/** The contact for a push service: an https address, or a mailbox. */
function senderOf(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:web-push@latarnik.invalid'
}

/** The length is written with the body. */
function textsOf(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const named = Object.entries(headers).filter(([name]) => name !== 'Content-Length')
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]))
}
