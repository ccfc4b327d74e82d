import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, as a header and an address can carry them. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a token: 256 random bits need no slow hash, and finding it by the digest leaks no time. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
