import { createHmac } from 'node:crypto'
import type { Executor } from '../database/connect.ts'
import { readCore } from '../database/processes.ts'

const keyCharacters = 16

/**
 * The key of a check's account for stations: always the same for one account, and without a way back to the account.
 */
export class OwnerKeys {
  #coreKey: Buffer | null = null
  readonly #known = new Map<number, string>()

  /** To be awaited before the first `of`. Every process of a core has the same key. */
  async load(executor: Executor): Promise<void> {
    this.#coreKey ??= (await readCore(executor)).key
  }

  /** Undefined before it was loaded. */
  of(accountId: number): string | undefined {
    const known = this.#known.get(accountId)
    if (known !== undefined || this.#coreKey === null) return known
    const digest = createHmac('sha256', this.#coreKey).update(`owner of a check ${accountId}`).digest('base64url')
    const key = digest.slice(0, keyCharacters)
    this.#known.set(accountId, key)
    return key
  }
}
