import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'
import type { DialAttempt } from './dial.ts'
import { Failure } from './failure.ts'

/** The clock of one request: every wait ends with the limit. */
export class Deadline implements DialAttempt {
  readonly evidence: { ip_address: string | null } = { ip_address: null }
  readonly #endsAt: number
  #onTimeout: ErrorTypeSymbol = 'connection_timeout'

  /** @param limitMs from now */
  constructor(limitMs: number) {
    this.#endsAt = performance.now() + limitMs
  }

  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now())
  }

  enter(_phase: 'dns' | 'connect', onTimeout: ErrorTypeSymbol): void {
    this.#onTimeout = onTimeout
  }

  wait<T>(start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let giveUp = () => {}
      const timer = setTimeout(() => {
        giveUp()
        reject(new Failure(this.#onTimeout, 'it did not answer in time'))
      }, this.remainingMs)
      giveUp = start(
        (value) => {
          clearTimeout(timer)
          resolve(value)
        },
        (reason) => {
          clearTimeout(timer)
          reject(reason)
        },
      )
    })
  }
}
