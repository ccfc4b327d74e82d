import { X509Certificate } from 'node:crypto'
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import { hourLength } from '../domain/calendars/durations.ts'
import { type Expiry, nearestOf } from '../domain/expiry/expiry.ts'
import type { Attempt } from './attempt.ts'
import { certificateWithIssuers } from './peer-certificate.ts'
import { readExpiry } from './read-degraded.ts'

/** Notes when the certificates of a server end. */
export interface CertificateReader {
  /** The nearest end counts among several handshakes, as over redirects, and among the certificates of a chain. */
  note(attempt: Attempt, socket: TLSSocket): void
}

/** Reading a chain costs ten times as much as reading one certificate, so its end is remembered for a while. */
const memoryLength = hourLength
const mostRemembered = 2000
const longestChain = 10

interface Remembered {
  readonly end: Expiry | null
  readonly readAt: number
}

/** @param roots PEM certificates that are trusted */
export function createCertificateReader(roots: readonly string[]): CertificateReader {
  const chains = new Map<string, Remembered>()
  let trusted: ReadonlySet<string> | null = null
  const chainEnd = (socket: TLSSocket): Expiry | null => {
    trusted ??= new Set(roots.map((pem) => new X509Certificate(pem).subject))
    return nearestOf(intermediates(certificateWithIssuers(socket), trusted).map((one) => endOf(one) ?? undefined))
  }
  return {
    note(attempt, socket) {
      const own = leafOf(socket)
      if (own === null) return
      const id = `${socket.servername || socket.remoteAddress} ${own.id}`
      const now = performance.now()
      let remembered = chains.get(id)
      if (remembered === undefined || now - remembered.readAt > memoryLength) {
        remembered = { end: chainEnd(socket), readAt: now }
        const [oldest] = chains.keys()
        if (chains.size >= mostRemembered && oldest !== undefined) chains.delete(oldest)
        chains.set(id, remembered)
      }
      attempt.expiry = nearestOf([attempt.expiry ?? undefined, own, remembered.end ?? undefined])
    },
  }
}

/**
 * Null for a server without a certificate, or with a date that cannot be read. `getPeerX509Certificate` would take the
 * certificate away from later calls of `getPeerCertificate`.
 */
function leafOf(socket: TLSSocket): Expiry | null {
  const { subject, subjectaltname, fingerprint256, valid_to: validTo } = socket.getPeerCertificate()
  const [common] = [subject?.CN ?? []].flat()
  const name = common ?? /(?:DNS|IP Address):([^,]+)/.exec(subjectaltname ?? '')?.[1] ?? ''
  return readExpiry({ kind: 'certificate', id: fingerprint256, name, endsAt: Date.parse(validTo) })
}

/**
 * The certificates between the server's own and a root. Clients hold a root themselves, and whatever certificate of the
 * same name a server sends above it is not used: its end harms nobody.
 */
function intermediates(own: DetailedPeerCertificate, trusted: ReadonlySet<string>): readonly X509Certificate[] {
  const found: X509Certificate[] = []
  let above = own.issuerCertificate
  while (above?.raw !== undefined && found.length < longestChain) {
    const certificate = new X509Certificate(above.raw)
    if (trusted.has(certificate.subject) || certificate.subject === certificate.issuer) break
    found.push(certificate)
    above = above.issuerCertificate
  }
  return found
}

function endOf({ subject, fingerprint256, validTo }: X509Certificate): Expiry | null {
  const name = /^CN=(.*)$/m.exec(subject)?.[1] ?? /^O=(.*)$/m.exec(subject)?.[1] ?? ''
  return readExpiry({ kind: 'certificate', id: fingerprint256, name, endsAt: Date.parse(validTo) })
}
