import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** One secret, or two during a change: both sign until the receiver knows the new one. */
export const secretPattern = '^whsec_[A-Za-z0-9+/]{32,100}={0,2}( whsec_[A-Za-z0-9+/]{32,100}={0,2})?$'

/** The secrets after a change: a new one, with the present one beside it. */
export function rotatedSecret(present: string | null): { readonly fresh: string; readonly stored: string } {
  const fresh = `${prefix}${randomBytes(32).toString('base64')}`
  const [last] = present?.split(' ') ?? []
  return { fresh, stored: last === undefined ? fresh : `${fresh} ${last}` }
}

/**
 * The headers of Standard Webhooks 1.0 (github.com/standard-webhooks/standard-webhooks, Signature scheme).
 *
 * @param sentAt Unix milliseconds of this attempt: receivers refuse anything older than five minutes
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
