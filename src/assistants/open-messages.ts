import { ApiError } from '../rest/problems.ts'

/** Messages that may be answered at the same time: of one account, and of all accounts together. */
const most = { account: 8, all: 64 } as const

/** Counts the messages that are answered now, so that slow streams cannot take every connection. */
export class OpenMessages {
  readonly #taken = new Map<string, number>()
  #all = 0

  /** Counts one more; refuses if there are too many. Returns the function for its end. */
  enter(account: string): () => void {
    const own = this.#taken.get(account) ?? 0
    if (own >= most.account || this.#all >= most.all)
      throw new ApiError([{ error: 'too_many_requests', facts: { retry_after: '1' } }], { 'Retry-After': '1' })
    this.#taken.set(account, own + 1)
    this.#all += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#all -= 1
      const left = (this.#taken.get(account) ?? 1) - 1
      if (left > 0) this.#taken.set(account, left)
      else this.#taken.delete(account)
    }
  }
}
