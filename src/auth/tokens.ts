import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, safe in headers and addresses. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored digest of a token. 256 random bits need no slow hash, and a search by digest leaks no timing. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
