import {
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  verify,
} from 'node:crypto'
import { Failure } from '../../outgoing/failure.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { messages, packet, readPacket, sshNumber, sshString, stringsIn } from './wire.ts'

/** Names of algorithms by the kind of key that a person knows. */
export const hostKeyKinds = {
  ed25519: ['ssh-ed25519'],
  ecdsa: ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
  rsa: ['rsa-sha2-512', 'rsa-sha2-256'],
} as const
export type HostKeyKind = keyof typeof hostKeyKinds

const exchanges = ['curve25519-sha256', 'curve25519-sha256@libssh.org']
const ciphers = [
  'aes128-ctr',
  'aes256-ctr',
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
]
const codes = [
  'hmac-sha2-256',
  'hmac-sha2-512',
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha1',
]

interface Banners {
  readonly own: string
  readonly server: string
}

/**
 * The fingerprint, as `ssh-keygen -l` writes it, of the key that the server proves to have (RFC 4253, section 8; RFC
 * 8731). The server's first packet has been read already.
 */
export async function provenFingerprint(
  line: ProtocolLine,
  serverInit: Buffer,
  { own, server }: Banners,
  kind: HostKeyKind,
): Promise<string> {
  const ownInit = keyExchangeInit(kind)
  demandCommon(serverInit, kind)
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const ownPoint = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  line.send(packet(ownInit))
  line.send(packet(Buffer.concat([Buffer.from([messages.exchangeInit]), sshString(ownPoint)])))
  const reply = await readPacket(line)
  if (reply[0] !== messages.exchangeReply) throw notSpoken(`packet ${reply[0]}`)
  const [hostKey = reply, serverPoint = reply, signature = reply] = stringsIn(reply.subarray(1), 3)
  const secret = sharedSecret(privateKey, serverPoint)
  const said = [own, server, ownInit, serverInit, hostKey, ownPoint, serverPoint].map(sshString)
  const exchangeHash = createHash('sha256')
    .update(Buffer.concat([...said, sshNumber(secret)]))
    .digest()
  if (!isSigned(exchangeHash, hostKey, signature))
    throw new Failure('host_key_differs', 'the server cannot prove that it has its key')
  return `SHA256:${createHash('sha256').update(hostKey).digest('base64').replaceAll('=', '')}`
}

function keyExchangeInit(kind: HostKeyKind): Buffer {
  const lists = [exchanges, hostKeyKinds[kind], ciphers, ciphers, codes, codes, ['none'], ['none'], [], []]
  const names = lists.map((list) => sshString(list.join(',')))
  return Buffer.concat([Buffer.from([messages.keyExchangeInit]), randomBytes(16), ...names, Buffer.alloc(5)])
}

function demandCommon(serverInit: Buffer, kind: HostKeyKind): void {
  const [offeredExchanges = '', offeredKeys = ''] = stringsIn(serverInit.subarray(17), 2).map(String)
  if (!exchanges.some((name) => offeredExchanges.split(',').includes(name))) {
    throw new Failure('login_method_unknown', `the server exchanges keys by ${offeredExchanges.slice(0, 200)} only`)
  }
  if (!hostKeyKinds[kind].some((name) => offeredKeys.split(',').includes(name))) {
    throw new Failure('host_key_differs', `the server has no ${kind} key`)
  }
}

function sharedSecret(privateKey: KeyObject, point: Buffer): Buffer {
  if (point.length !== 32) throw notSpoken('a point of another curve')
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: point.toString('base64url') },
    format: 'jwk',
  })
  return diffieHellman({ privateKey, publicKey })
}

const curves: Readonly<Record<string, readonly [jwk: string, hash: string, bytes: number]>> = {
  nistp256: ['P-256', 'sha256', 32],
  nistp384: ['P-384', 'sha384', 48],
  nistp521: ['P-521', 'sha512', 66],
}

function isSigned(data: Buffer, hostKey: Buffer, signature: Buffer): boolean {
  const [format = ''] = stringsIn(hostKey, 1).map(String)
  const [algorithm = '', proof = Buffer.alloc(0)] = stringsIn(signature, 2).map((part, index) =>
    index === 0 ? String(part) : part,
  )
  if (!Buffer.isBuffer(proof)) return false
  const url = (bytes: Buffer | undefined) => (bytes ?? Buffer.alloc(0)).toString('base64url')
  try {
    if (format === 'ssh-ed25519') {
      const key = { kty: 'OKP', crv: 'Ed25519', x: url(stringsIn(hostKey, 2)[1]) }
      return verify(null, data, createPublicKey({ key, format: 'jwk' }), proof)
    }
    if (format === 'ssh-rsa') {
      const [, exponent, modulus] = stringsIn(hostKey, 3)
      const key = createPublicKey({ key: { kty: 'RSA', n: url(modulus), e: url(exponent) }, format: 'jwk' })
      const hash = { 'rsa-sha2-512': 'sha512', 'rsa-sha2-256': 'sha256' }[String(algorithm)]
      return hash !== undefined && verify(hash, data, key, proof)
    }
    const [crv = '', hash = 'sha256', width = 32] = curves[format.replace('ecdsa-sha2-', '')] ?? []
    const point = stringsIn(hostKey, 3)[2] ?? Buffer.alloc(0)
    const key = { kty: 'EC', crv, x: url(point.subarray(1, 1 + width)), y: url(point.subarray(1 + width)) }
    const numbers = stringsIn(proof, 2).map((number) => fixedWidth(number, width))
    const options = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
    return verify(hash, data, options, Buffer.concat(numbers))
  } catch (error) {
    // A key that the library cannot read proves nothing.
    if (error instanceof Failure) throw error
    return false
  }
}

function fixedWidth(number: Buffer, width: number): Buffer {
  return Buffer.concat([Buffer.alloc(width), number]).subarray(-width)
}
