import { constants, createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  connect,
  createSecureContext,
  rootCertificates,
  type SecureContext,
  type SecureContextOptions,
  type TLSSocket,
} from 'node:tls'
import { dayLength } from '../domain/calendars/durations.ts'
import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'
import { errorText } from '../domain/text/error-text.ts'
import { abandon } from '../outgoing/dial.ts'
import { errorCode, Failure } from '../outgoing/failure.ts'
import type { Host } from '../outgoing/host.ts'
import type { Attempt } from './attempt.ts'
import { createCertificateReader } from './certificate-expiry.ts'
import { readCertificateOnce } from './peer-certificate.ts'
import { wallTime } from './wall-time.ts'

export interface TlsOptions {
  /** PEM certificates to trust in addition to the well-known roots. */
  readonly certificateAuthorities?: readonly string[]
}

export interface TlsDemands {
  readonly verifyCertificate: boolean
  /** Fails if the certificate is valid for fewer days; null: no such check. */
  readonly certificateDays: number | null
  readonly protocols: readonly string[]
  readonly clientCertificate?: ClientCertificate | null
}

/** PEM texts. */
export interface ClientCertificate {
  readonly chain: string
  readonly key: string
  readonly passphrase: string | null
}

/** A TLS client over a connected socket. All checks share one context: a context per check doubles the cost. */
export interface TlsClient {
  handshake(attempt: Attempt, socket: Socket, host: Host, demands: TlsDemands): Promise<TLSSocket>
}

export function createTlsClient(options: TlsOptions = {}): TlsClient {
  const extra = options.certificateAuthorities ?? []
  const common = {
    minVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    ...(extra.length > 0 ? { ca: [...rootCertificates, ...extra] } : {}),
  } as const
  const secureContext = createSecureContext(common)
  const contextFor = rememberedContexts(common)
  const ends = createCertificateReader([...rootCertificates, ...extra])
  return {
    async handshake(attempt, socket, host, demands) {
      attempt.enter('tls', 'tls_timeout')
      const { clientCertificate = null } = demands
      const context = clientCertificate === null ? secureContext : contextFor(clientCertificate)
      const secure = await shakeHands(attempt, socket, { host, demands, secureContext: context })
      ends.note(attempt, secure)
      try {
        judgeCertificate(attempt, secure, demands)
      } catch (error) {
        abandon(secure)
        throw error
      }
      return secure
    },
  }
}

const mostContexts = 200

/** A context for each client certificate; making one decrypts its key. */
function rememberedContexts(common: SecureContextOptions): (given: ClientCertificate) => SecureContext {
  const known = new Map<string, SecureContext>()
  return ({ chain, key, passphrase }) => {
    const id = createHash('sha256')
      .update(JSON.stringify([chain, key, passphrase]))
      .digest('base64')
    const remembered = known.get(id)
    if (remembered !== undefined) return remembered
    try {
      const login = { cert: chain, key, ...(passphrase === null ? {} : { passphrase }) }
      const context = createSecureContext({ ...common, ...login })
      const [oldest] = known.keys()
      if (known.size >= mostContexts && oldest !== undefined) known.delete(oldest)
      known.set(id, context)
      return context
    } catch (error) {
      throw new Failure('setting_invalid', `settings client_certificate and client_key: ${errorText(error)}`)
    }
  }
}

interface Handshake {
  readonly host: Host
  readonly demands: TlsDemands
  readonly secureContext: SecureContext
}

function shakeHands(attempt: Attempt, socket: Socket, { host, demands, secureContext }: Handshake): Promise<TLSSocket> {
  return attempt.wait<TLSSocket>((resolve, reject) => {
    const name = host.name.endsWith('.') ? host.name.slice(0, -1) : host.name
    const secure = connect({
      socket,
      host: name,
      ...(host.family === 0 ? { servername: name } : {}),
      secureContext,
      rejectUnauthorized: false,
      ALPNProtocols: [...demands.protocols],
    })
    readCertificateOnce(secure)
    const onError = (error: Error): void => {
      secure.destroy()
      reject(handshakeFailure(error))
    }
    secure.once('error', onError)
    secure.once('secureConnect', () => {
      secure.removeListener('error', onError)
      resolve(secure)
    })
    return () => {
      secure.removeListener('error', onError)
      abandon(secure)
    }
  })
}

/** Thrown if the server accepts none of the offered protocols. */
export class NoCommonProtocol extends Failure {}

const handshakeReasons: readonly (readonly [RegExp, ErrorTypeSymbol])[] = [
  [/CERTIFICATE_REQUIRED/, 'tls_client_certificate_required'],
  [
    /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN)|ACCESS_DENIED|DECRYPT_ERROR)/,
    'tls_client_certificate_refused',
  ],
  [/ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/, 'tls_protocol_version'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_LAYER_FAILURE/, 'tls_not_spoken'],
  [/UNRECOGNIZED_NAME/, 'tls_name_unknown'],
  [/ALERT_HANDSHAKE_FAILURE|ALERT_INSUFFICIENT_SECURITY|NO_SHARED_CIPHER/, 'tls_handshake_refused'],
]

/** The failure behind an error of the TLS library, even after the handshake; null for any other error. */
export function tlsFailure(error: unknown): Failure | null {
  const code = errorCode(error)
  if (!code.startsWith('ERR_SSL_')) return null
  const [reason, raw] = [plainReason(error, code), errorText(error).trim()]
  if (code.includes('NO_APPLICATION_PROTOCOL')) return new NoCommonProtocol('tls_handshake_refused', reason, raw)
  const symbol = handshakeReasons.find(([pattern]) => pattern.test(code))?.[1]
  return new Failure(symbol ?? 'tls_failed', reason, raw)
}

/** OpenSSL's reason without its place in the library: `wrong version number`. */
function plainReason(error: unknown, code: string): string {
  const named = error instanceof Error && 'reason' in error && typeof error.reason === 'string' ? error.reason : ''
  const reason = named || code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ')
  const alert = /\balert (.+)$/.exec(reason)?.[1]
  return alert === undefined ? reason : `the server sent the alert "${alert}"`
}

function handshakeFailure(error: Error): Failure {
  const named = tlsFailure(error)
  if (named !== null) return named
  const code = errorCode(error)
  return new Failure(code === 'ECONNRESET' || code === 'EPIPE' ? 'tls_closed' : 'tls_failed', error.message)
}

const certificateReasons: Readonly<Record<string, ErrorTypeSymbol>> = {
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_self_signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_intermediate_missing',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_issuer_unknown',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_issuer_unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_issuer_unknown',
  CERT_REVOKED: 'certificate_revoked',
}

function judgeCertificate(attempt: Attempt, socket: TLSSocket, demands: TlsDemands): void {
  // Node declares an Error here but keeps the code as a string.
  const reason = socket.authorizationError === null ? '' : String(socket.authorizationError)
  if (reason !== '') attempt.facts['certificate_error'] = reason
  const isRefused = demands.verifyCertificate && reason !== ''
  if (!isRefused && demands.certificateDays === null) return
  const certificate = socket.getPeerCertificate()
  attempt.facts['certificate_valid_from'] = certificate.valid_from ?? null
  attempt.facts['certificate_valid_to'] = certificate.valid_to ?? null
  attempt.facts['certificate_subject'] = [certificate.subject?.CN ?? ''].flat().join(', ')
  attempt.facts['certificate_names'] = certificate.subjectaltname ?? null
  attempt.facts['certificate_issuer'] = [certificate.issuer?.CN ?? ''].flat().join(', ')
  attempt.facts['certificate_fingerprint'] = certificate.fingerprint256 ?? null
  if (isRefused) throw new Failure(certificateReasons[reason] ?? 'certificate_invalid', describe(reason, attempt))
  const daysLeft = (Date.parse(certificate.valid_to) - wallTime()) / dayLength
  if (demands.certificateDays !== null && daysLeft < demands.certificateDays) {
    throw new Failure(
      'certificate_expires_soon',
      `the certificate expires in ${Math.floor(daysLeft)} days (${certificate.valid_to}), wanted ${demands.certificateDays}`,
    )
  }
}

function describe(reason: string, { facts }: Attempt): string {
  const parts = ['subject', 'names', 'issuer', 'valid_from', 'valid_to'].flatMap((key) => {
    const value = facts[`certificate_${key}`]
    return value === null || value === undefined || value === '' ? [] : [`${key.replace('_', ' ')} ${value}`]
  })
  return `${reason} (${parts.join('; ')})`
}
