import type { Request, Response } from 'playwright-core'
import type { Failure } from '../../outgoing/failure.ts'
import type { NavigationState } from './navigation-state.ts'

/** Observations of a visited page from outside, and the means to end the visit. */
export interface PageWatch {
  /** Ends the visit; only the first call counts. */
  doom: (failure: Failure) => void
  /** The newest request for the page itself, and its response. */
  readonly document: () => Request | null
  readonly response: () => Response | null
  /** The newest answers for the page itself over TLS, those of redirects too. */
  readonly secured: readonly Response[]
  /** Null before the first request for the page. */
  readonly documentUrl: () => string | null
  /** How often the page itself was requested anew; the hops of a redirect count as one. */
  readonly navigations: () => number
  readonly journey: NavigationState
  /** Keeps the next window that opens, because it is our own. */
  spareNextWindow(): void
  /** Failures beside the page itself, in order. */
  readonly resourceErrors: readonly ResourceError[]
}

export interface ResourceError {
  readonly url: string
  readonly reason: string
}
