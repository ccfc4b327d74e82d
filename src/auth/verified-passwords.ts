import { createHmac, randomBytes } from 'node:crypto'

const lifeMs = 60_000
const maximumEntries = 10_000

interface Verified {
  readonly passwordHash: string
  readonly untilAt: number
}

/**
 * Basic sends the password with every call; this cache remembers right ones for a minute. Keys are digests under a key
 * of this process, so that a memory dump reveals no passwords. An entry is valid only for the hash that it was verified
 * against. So a changed password ends it at once, in every process.
 */
export class VerifiedPasswords {
  readonly #key = randomBytes(32)
  readonly #entries = new Map<string, Verified>()

  has(
    username: string,
    password: string,
    facts: { readonly passwordHash: string | null; readonly now: number },
  ): boolean {
    const entry = this.#entries.get(this.#digestOf(username, password))
    return entry !== undefined && entry.untilAt > facts.now && entry.passwordHash === facts.passwordHash
  }

  add(username: string, password: string, facts: { readonly passwordHash: string; readonly now: number }): void {
    const digest = this.#digestOf(username, password)
    this.#entries.delete(digest)
    if (this.#entries.size >= maximumEntries) {
      const oldest = this.#entries.keys().next()
      if (!oldest.done) this.#entries.delete(oldest.value)
    }
    this.#entries.set(digest, { passwordHash: facts.passwordHash, untilAt: facts.now + lifeMs })
  }

  #digestOf(username: string, password: string): string {
    return createHmac('sha256', this.#key).update(`${username.toLowerCase()}\0${password}`).digest('base64')
  }
}
