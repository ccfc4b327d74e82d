import type { TLSSocket } from 'node:tls'
import { type Expiry, nearestOf } from '../domain/expiry.ts'
import type { Attempt } from './attempt.ts'
import { readExpiry } from './read-degraded.ts'

/** Notes when the server's certificate ends. Of several handshakes, as over redirects, the nearest end counts. */
export function noteCertificate(attempt: Attempt, socket: TLSSocket): void {
  attempt.expiry = nearestOf([attempt.expiry ?? undefined, certificateOf(socket) ?? undefined])
}

/**
 * Null for a server without a certificate, or with a date that cannot be read. `getPeerX509Certificate` would take the
 * certificate away from later calls of `getPeerCertificate`.
 */
function certificateOf(socket: TLSSocket): Expiry | null {
  const { subject, subjectaltname, fingerprint256, valid_to: validTo } = socket.getPeerCertificate()
  const [common] = [subject?.CN ?? []].flat()
  const name = common ?? /(?:DNS|IP Address):([^,]+)/.exec(subjectaltname ?? '')?.[1] ?? ''
  return readExpiry({ kind: 'certificate', id: fingerprint256, name, endsAt: Date.parse(validTo) })
}
