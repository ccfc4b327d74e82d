import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { incorrect } from '../../domain/input/json.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { SettingValue } from '../../domain/services/service-types.ts'

type Settings = Readonly<Record<string, SettingValue>>

/** Problems of the client certificate, its key and the key's passphrase, each at the faulty setting. */
export function certificateProblems(settings: Settings, pointer: string): readonly Problem[] {
  const [chain, key, passphrase] = ['client_certificate', 'client_key', 'client_key_passphrase'].map((id) =>
    String(settings[id] ?? ''),
  ) as [string, string, string]
  const at = (id: string) => `${pointer}.${id}`
  if (chain === '' && key === '' && passphrase === '') return []
  if (chain === '') return [{ error: 'missing_value', field: at('client_certificate') }]
  if (key === '') return [{ error: 'missing_value', field: at('client_key') }]
  const certificate = readCertificate(chain)
  if (certificate === null) return [incorrect(at('client_certificate'), 'certificate_pem')]
  const read = readKey(key, passphrase)
  if (read === 'passphrase') return [incorrect(at('client_key_passphrase'), 'key_passphrase')]
  if (read === 'invalid') return [incorrect(at('client_key'), 'key_pem')]
  return certificate.checkPrivateKey(read) ? [] : [incorrect(at('client_key'), 'key_of_certificate')]
}

/** The first certificate of a chain in which every one can be read; null otherwise. */
function readCertificate(chain: string): X509Certificate | null {
  const parts = chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return parts.map((part) => new X509Certificate(part))[0] ?? null
  } catch {
    return null
  }
}

/** invalid: no key, or one that takes too long to decrypt. passphrase: it is missing or wrong. */
function readKey(pem: string, passphrase: string): KeyObject | 'invalid' | 'passphrase' {
  const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem)
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem) || (isEncrypted && takesLong(pem))) return 'invalid'
  try {
    return createPrivateKey({ key: pem, ...(isEncrypted ? { passphrase } : {}) })
  } catch {
    return isEncrypted ? 'passphrase' : 'invalid'
  }
}

const mostIterations = 1_000_000
/** The object identifier of PBKDF2 in DER; the salt and the number of iterations follow. */
const pbkdf2 = Buffer.from('06092a864886f70d01050c', 'hex')
const derOfInteger = 2

/**
 * True for a key that a hostile user made so that each decryption takes minutes: a huge number of iterations, or
 * another scheme than PBKDF2, whose cost is not read here.
 */
function takesLong(pem: string): boolean {
  const body = /-----BEGIN ENCRYPTED PRIVATE KEY-----([^-]+)-----END/.exec(pem)?.[1]
  // The older form derives its key in one step.
  if (body === undefined) return false
  const der = Buffer.from(body, 'base64')
  const at = der.indexOf(pbkdf2)
  if (at < 0) return true
  // A sequence of an octet string and an integer, with lengths of one byte.
  const saltAt = at + pbkdf2.length + 2
  const countAt = saltAt + 2 + (der[saltAt + 1] ?? 0)
  const length = der[countAt + 1] ?? 0
  if (der[countAt] !== derOfInteger || length < 1 || length > 4) return true
  return der.readUIntBE(countAt + 2, length) > mostIterations
}
