import type { Request, Response } from 'playwright-core'
import type { Failure } from '../../outgoing/failure.ts'
import type { Journey } from './journey.ts'

/** What is seen of a page from outside while it is visited, and the hand that ends the visit. */
export interface PageWatch {
  /** Ends the visit; the first call counts. */
  doom: (failure: Failure) => void
  /** The newest request of the page itself, and what answered it. */
  readonly document: () => Request | null
  readonly response: () => Response | null
  /** Null before the page was asked for. */
  readonly documentUrl: () => string | null
  /** How often the page itself was asked for anew; hops of a redirect count as one. */
  readonly navigations: () => number
  readonly journey: Journey
  /** The next window that opens is our own and stays. */
  spareNextWindow(): void
  /** What failed besides the page itself, in order. */
  readonly resourceErrors: readonly ResourceError[]
}

export interface ResourceError {
  readonly url: string
  readonly reason: string
}
