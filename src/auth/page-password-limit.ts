import { neighbourhoodOf, networkOf } from '../domain/access/network.ts'
import { CountedAttempts, type CountedAttemptsOptions, type Counter } from './counted-attempts.ts'
import type { AttemptOutcome } from './login-limit.ts'

/** The limit of a neighbourhood, as a multiple of one network's. */
const networksOfNeighbourhood = 3
/** A page with so many failures a minute, as a multiple of one network's, is being guessed at. */
const networksOfSiege = 10

export interface PagePasswordLimitOptions extends CountedAttemptsOptions {
  readonly attemptsPerMinute: number
}

/**
 * Limits wrong passwords of status pages per minute, by network and by neighbourhood. All visitors of a page share its
 * password, so a page is never locked: strangers could lock out its visitors. While many networks guess at one page,
 * each has one wrong password a minute there. So guessing gets no faster with the number of guesses, only with that of
 * networks, and a right password is taken at any time.
 */
export class PagePasswordLimit {
  readonly #most: number
  readonly #attempts: CountedAttempts

  constructor({ attemptsPerMinute, ...counted }: PagePasswordLimitOptions) {
    this.#most = attemptsPerMinute
    this.#attempts = new CountedAttempts(counted)
  }

  /** Attempts of one neighbourhood run one after another, so parallel guesses gain nothing. */
  attempt(ipAddress: string, pageId: number, verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const neighbourhood = {
      key: `neighbourhood ${neighbourhoodOf(ipAddress)}`,
      most: this.#most * networksOfNeighbourhood,
    }
    const network = { key: `address ${networkOf(ipAddress)}`, most: this.#most }
    const page = { key: `page ${pageId}`, most: this.#most * networksOfSiege }
    return this.#attempts.inTurn(neighbourhood.key, async () => {
      const isSiege = (await this.#attempts.waitMs([page])) > 0
      const here = { key: `${network.key} ${page.key}`, most: isSiege ? 1 : this.#most }
      return this.#attempt([neighbourhood, network, here], page, verify)
    })
  }

  async #attempt(counters: readonly Counter[], page: Counter, verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const waitMs = await this.#attempts.waitMs(counters)
    if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / 1000) }
    const isRight = await verify()
    if (!isRight) await this.#attempts.count([...counters, page])
    return { isRight }
  }
}
