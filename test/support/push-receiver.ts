import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto'

/** A browser's subscription with its secret half: what a push service never has. */
export interface PushReceiver {
  /** All in base64url. */
  readonly privateKey: string
  readonly auth: string
}

/** A browser's view of a message (RFC 8188, RFC 8291). Throws if it was made for another browser. */
export function readPush(body: Uint8Array, { privateKey, auth }: PushReceiver): unknown {
  const bytes = Buffer.from(body)
  const [salt, sender] = [bytes.subarray(0, 16), bytes.subarray(21, 21 + bytes.readUInt8(20))]
  const sealed = bytes.subarray(21 + sender.length)
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey, 'base64url')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender])
  const shared = hkdfSync('sha256', curve.computeSecret(sender), Buffer.from(auth, 'base64url'), info, 32)
  const derived = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(shared), salt, `Content-Encoding: ${name}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
}

/** The sender's description of itself (RFC 8292). Throws if the sender did not sign it. */
export function readVapid(authorization: string): Readonly<Record<string, unknown>> & { readonly publicKey: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: String(x), y: String(y) } })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('somebody else signed it')
  return { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), publicKey }
}
