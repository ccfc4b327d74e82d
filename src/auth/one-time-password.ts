import { createHmac, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000
const digits = 6

/** RFC 4648 base32 without padding, as authenticator applications read secrets. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31]
}

/** The HOTP value of a counter (RFC 4226, section 5.3). */
export function oneTimePassword(secret: Uint8Array, counter: number, length = digits): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  const offset = mac.readUInt8(mac.length - 1) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** length).padStart(length, '0')
}

/** The step of 30 seconds in which a moment lies (RFC 6238). Unix milliseconds. */
export function stepAt(at: number): number {
  return Math.floor(at / stepMs)
}

/**
 * The step whose code this is: the present one or a neighbour (clocks of telephones are wrong), later than the last used one;
 * undefined when there is none. Looks at every step, so that time tells nothing.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  facts: { readonly now: number; readonly lastStep: number | null },
): number | undefined {
  const given = Buffer.from(code.padEnd(digits).slice(0, digits + 1))
  let found: number | undefined
  for (const shift of [-1, 0, 1]) {
    const step = stepAt(facts.now) + shift
    const right = Buffer.from(oneTimePassword(secret, step))
    const isRight = given.length === right.length && timingSafeEqual(given, right)
    if (isRight && step > (facts.lastStep ?? -1)) found = step
  }
  return found
}

/** `otpauth:` address for the QR code of an authenticator application. */
export function otpauthUrl(secret: Uint8Array, username: string): string {
  const issuer = 'Latarnik'
  const label = `${issuer}:${encodeURIComponent(username)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${issuer}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`
}
