import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/** The server's side of SCRAM-SHA-1 (RFC 5802) for one login. */
export interface ScramServer {
  /** Answers the client's first message with the challenge. */
  challenge(clientFirst: string): string
  /** The server's signature, or null when the proof is wrong. */
  finish(clientFinal: string): string | null
}

const hmac = (key: Buffer, text: string) => createHmac('sha1', key).update(text).digest()
const attributes = (message: string) => new Map(message.split(',').map((part) => [part[0] ?? '', part.slice(2)]))

export function scramServer(username: string, password: string): ScramServer {
  const salt = randomBytes(16)
  const iterations = 4096
  let [firstBare, challenge] = ['', '']
  return {
    challenge(clientFirst) {
      firstBare = clientFirst.replace(/^n,[^,]*,/, '')
      const nonce = `${attributes(firstBare).get('r')}${randomBytes(9).toString('hex')}`
      challenge = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`
      return challenge
    },
    finish(clientFinal) {
      const salted = pbkdf2Sync(password, salt, iterations, 20, 'sha1')
      const clientKey = hmac(salted, 'Client Key')
      const withoutProof = clientFinal.replace(/,p=[^,]*$/, '')
      const message = `${firstBare},${challenge},${withoutProof}`
      const signature = hmac(createHash('sha1').update(clientKey).digest(), message)
      const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)))
      const isRight = attributes(clientFinal).get('p') === proof.toString('base64')
      if (!isRight || attributes(firstBare).get('n') !== username) return null
      return `v=${hmac(hmac(salted, 'Server Key'), message).toString('base64')}`
    },
  }
}
