import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** The client's side of SCRAM (RFC 5802, 7677), without channel binding. */
export interface Scram {
  readonly first: string
  /** Answers the server's challenge. */
  proof(challenge: string): Promise<string>
  /** True if the server also knows the password. */
  isServerRight(last: string): boolean
}

export const scramHashes = { 'SCRAM-SHA-256': 'sha256', 'SCRAM-SHA-1': 'sha1' } as const
export type ScramMechanism = keyof typeof scramHashes

/** Fewer iterations would make guessing too easy, more would keep us busy. */
const fewestIterations = 4096
const mostIterations = 1_000_000
const longestChallenge = 8192

const derive = promisify(pbkdf2)

export function newScram(mechanism: ScramMechanism, username: string, password: string): Scram {
  const hash = scramHashes[mechanism]
  const hmac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest()
  const nonce = randomBytes(18).toString('base64')
  const name = username.normalize('NFKC').replaceAll('=', '=3D').replaceAll(',', '=2C')
  const firstBare = `n=${name},r=${nonce}`
  let serverSignature: Buffer = Buffer.alloc(0)
  return {
    first: `n,,${firstBare}`,
    async proof(challenge) {
      if (challenge.length > longestChallenge) throw new Error('its challenge is too long')
      const said = attributesOf(challenge)
      const [fullNonce = '', salt = '', iterations = 0] = [said.get('r'), said.get('s'), Number(said.get('i'))]
      const isSound = Number.isInteger(iterations) && iterations >= fewestIterations && iterations <= mostIterations
      if (!fullNonce.startsWith(nonce) || salt === '' || !isSound) throw new Error('its challenge is not sound')
      const length = createHash(hash).digest().length
      const salted = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), iterations, length, hash)
      const clientKey = hmac(salted, 'Client Key')
      const withoutProof = `c=biws,r=${fullNonce}`
      const message = `${firstBare},${challenge},${withoutProof}`
      const signature = hmac(createHash(hash).update(clientKey).digest(), message)
      serverSignature = hmac(hmac(salted, 'Server Key'), message)
      const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)))
      return `${withoutProof},p=${proof.toString('base64')}`
    },
    isServerRight(last) {
      const said = Buffer.from(attributesOf(last).get('v') ?? '', 'base64')
      return said.length === serverSignature.length && timingSafeEqual(said, serverSignature)
    },
  }
}

function attributesOf(message: string): ReadonlyMap<string, string> {
  return new Map(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]))
}
