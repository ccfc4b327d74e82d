// Certificates made on the spot, so that nobody needs openssl and no file expires.

import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { dayLength } from '../../domain/calendars/durations.ts'

export interface IssuedCertificate {
  /** PEM; the chain as the server sends it. */
  readonly cert: string
  readonly key: string
}

export interface Wish {
  readonly names: readonly string[]
  readonly notBefore?: number
  readonly notAfter?: number
}

export interface Authority {
  readonly certificate: string
  issue(wish: Wish): IssuedCertificate
  /** An authority below this one; its certificates include its own unless `isSent` is false. */
  intermediate(name: string, isSent?: boolean, notAfter?: number): Authority
  /** PEM: another certificate for the name and the key of an authority, signed by this one. */
  crossSign(other: Pick<Authority, 'certificate'>, notAfter: number): string
}

interface Signer {
  readonly name: string
  readonly key: KeyObject
  readonly chain: string
}

/** A root of its own, self-signed. */
export function createAuthority(name: string): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const validity = { notBefore: Date.now() - dayLength, notAfter: Date.now() + 3650 * dayLength }
  const self = { name, key: keys.privateKey, chain: '' }
  const certificate = certify(self, {
    subject: name,
    publicKey: keys.publicKey,
    extensions: authorityExtensions,
    ...validity,
  })
  return authority(self, certificate)
}

/** A self-signed server certificate. */
export function selfSigned(wish: Wish): IssuedCertificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    cert: leaf({ name: wish.names[0] ?? '', key: keys.privateKey, chain: '' }, keys.publicKey, wish),
    key: pemOf(keys.privateKey),
  }
}

function authority(signer: Signer, certificate: string): Authority {
  return {
    certificate,
    issue(wish) {
      const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      return { cert: leaf(signer, keys.publicKey, wish) + signer.chain, key: pemOf(keys.privateKey) }
    },
    intermediate(name, isSent = true, notAfter = Date.now() + 3650 * dayLength) {
      const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const validity = { notBefore: Date.now() - dayLength, notAfter }
      const own = certify(signer, {
        subject: name,
        publicKey: keys.publicKey,
        extensions: authorityExtensions,
        ...validity,
      })
      return authority({ name, key: keys.privateKey, chain: isSent ? own + signer.chain : '' }, own)
    },
    crossSign(other, notAfter) {
      const { publicKey, subject } = new X509Certificate(other.certificate)
      const validity = { notBefore: Date.now() - dayLength, notAfter }
      return certify(signer, {
        subject: subject.replace(/^CN=/, ''),
        publicKey,
        extensions: authorityExtensions,
        ...validity,
      })
    },
  }
}

function leaf(signer: Signer, publicKey: KeyObject, wish: Wish): string {
  return certify(signer, {
    subject: wish.names[0] ?? '',
    publicKey,
    extensions: [extension('551d11', false, sequence(...wish.names.map(alternativeName)))],
    notBefore: wish.notBefore ?? Date.now() - dayLength,
    notAfter: wish.notAfter ?? Date.now() + 365 * dayLength,
  })
}

interface Content {
  readonly subject: string
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
  readonly notBefore: number
  readonly notAfter: number
}

/** X.509 version 3 (RFC 5280, section 4.1), signed with ECDSA and SHA-256. */
function certify(signer: Signer, content: Content): string {
  const algorithm = sequence(objectId('2a8648ce3d040302'))
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(8)])),
    algorithm,
    commonName(signer.name),
    sequence(time(content.notBefore), time(content.notAfter)),
    commonName(content.subject),
    content.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...content.extensions)),
  )
  const der = sequence(body, algorithm, bitString(sign('sha256', body, signer.key)))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts)
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes)
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.from([0]), bytes)
}

function time(moment: number): Buffer {
  return tagged(0x18, Buffer.from(`${new Date(moment).toISOString().replace(/[-:T]|\.\d+/g, '')}`))
}

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(name)))))
}

function alternativeName(name: string): Buffer {
  if (isIPv4(name)) return tagged(0x87, Buffer.from(name.split('.').map(Number)))
  return name === '::1' ? tagged(0x87, Buffer.from([...Array(15).fill(0), 1])) : tagged(0x82, Buffer.from(name))
}

function extension(id: string, isCritical: boolean, content: Buffer): Buffer {
  const critical = isCritical ? [tagged(0x01, Buffer.from([0xff]))] : []
  return sequence(objectId(id), ...critical, tagged(0x04, content))
}

const authorityExtensions = [extension('551d13', true, sequence(tagged(0x01, Buffer.from([0xff]))))]
