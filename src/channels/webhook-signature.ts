import { createHmac } from 'node:crypto'

const prefix = 'whsec_'

/** One secret, or two while it is changed: both sign until the receiver knows the new one. */
export const secretPattern = '^whsec_[A-Za-z0-9+/]{32,100}={0,2}( whsec_[A-Za-z0-9+/]{32,100}={0,2})?$'

/**
 * The headers of Standard Webhooks 1.0 (github.com/standard-webhooks/standard-webhooks, Signature scheme).
 *
 * @param sentAt Unix milliseconds of this attempt: receivers refuse what is older than five minutes
 */
export function signatureHeaders(
  { id, sentAt, body }: { readonly id: string; readonly sentAt: number; readonly body: string },
  secrets: string | null,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secrets === null) return headers
  const signatures = secrets.split(' ').map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { ...headers, 'webhook-signature': signatures.join(' ') }
}

/** What is kept while a secret is changed: the new one and the one that was in use. An older one ends. */
export function rotatedSecrets(made: string, kept: string | null): string {
  return [made, ...(kept ?? '').split(' ').slice(0, 1)].filter((secret) => secret !== '').join(' ')
}
