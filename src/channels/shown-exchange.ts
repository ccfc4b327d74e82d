import { storable } from '../domain/input/storable.ts'
import type { Answer, HttpRequest } from '../outgoing/exchange.ts'
import type { Message } from './delivery.ts'
import type { ShownAnswer, ShownRequest } from './exchanged.ts'
import type { Integration, Sender } from './integration.ts'

/** Characters. */
const longestRequest = 20_000
const longestResponse = 4000
const longestHeader = 500

const mask = '***'

/** These headers identify nobody; all others may be credentials. */
const plainHeaders = new Set([
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'ttl',
  'urgency',
  'topic',
])

/**
 * The request of a message, built again without the address's secrets. A value that was never in it cannot be shown.
 */
export function shownRequest(
  integration: Integration,
  message: Message & { readonly sentAt?: number },
  sent: HttpRequest,
  sender?: Sender,
): ShownRequest {
  const { url, body } = maskedRequest(integration, message, sender)
  const masked = (text: string) =>
    acknowledgeTokens(message).reduce((rest, token) => rest.replaceAll(token, mask), text)
  const headers = Object.entries(sent.headers).map(([name, value]) => [name, headerOf(name, value)])
  return {
    method: sent.method,
    url: storable(masked(url)),
    headers: Object.fromEntries(headers),
    body: body === null ? null : storable(masked(body).slice(0, longestRequest)),
  }
}

/** Anybody with a message's link can acknowledge its failure, and many more people may read the request. */
function acknowledgeTokens({ acknowledgeLink = null }: Pick<Message, 'acknowledgeLink'>): readonly string[] {
  const token = acknowledgeLink === null ? null : new URL(acknowledgeLink).searchParams.get('token')
  return token === null ? [] : [token]
}

/** Further secrets of a request beside those of its address, in the forms in which a destination may repeat them. */
export function sentSecrets(message: Message, { headers }: HttpRequest): readonly string[] {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    plainHeaders.has(name.toLowerCase()) ? [] : [value, ...value.split(' ')],
  )
  return [...acknowledgeTokens(message), ...values]
}

function headerOf(name: string, value: string): string {
  return plainHeaders.has(name.toLowerCase()) ? storable(value.slice(0, longestHeader)) : mask
}

/** A request that cannot be built without its secrets shows only its destination. */
function maskedRequest(integration: Integration, message: Message & { readonly sentAt?: number }, sender?: Sender) {
  const settings = { ...message.settings, ...maskedSecrets(integration, message) }
  try {
    const { url, body } = integration.request({ ...message, settings } as Message, settings, sender)
    return { url, body }
  } catch {
    return { url: integration.goesTo(settings), body: null }
  }
}

function maskedSecrets({ settings: formats }: Integration, { settings }: Message): Readonly<Record<string, string>> {
  const secrets = formats.filter(({ isSecret, setting_id: id }) => isSecret === true && (settings[id] ?? null) !== null)
  return Object.fromEntries(
    secrets.map(({ setting_id: id, grammar }) => [id, maskedValue(String(settings[id]), grammar ?? null)]),
  )
}

function maskedValue(secret: string, grammar: string | null): string {
  if (grammar === 'web_address' && URL.canParse(secret)) return `${new URL(secret).origin}/${mask}`
  // The headers themselves are taken from the sent request.
  return grammar === 'request_headers' ? '' : mask
}

/** @param masked removes the address's secrets from a text */
export function shownAnswer({ status, text, headers = {} }: Answer, masked: (text: string) => string): ShownAnswer {
  const shown = Object.entries(headers).map(([name, value]) => [name, storable(masked(value).slice(0, longestHeader))])
  return { status, headers: Object.fromEntries(shown), body: storable(masked(text).slice(0, longestResponse)) }
}
