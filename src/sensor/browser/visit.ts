import type { CDPSession, Locator, Page } from 'playwright-core'
import type { Attempt } from '../attempt.ts'
import type { Credentials } from '../http/request.ts'
import type { PageWatch } from './page-watch.ts'

/** The options of a visit. */
export interface VisitOptions {
  /** The start of the visit. Headers and credentials are sent to this host only. */
  readonly url: URL
  /**
   * Limits the whole work from the moment the page is open. Waiting for a free place in the browser is not the target's
   * time.
   */
  readonly timeoutMs: number
  /** A phone from playwright's list; null for a desktop. */
  readonly device: string | null
  readonly network: Network
  readonly headers: readonly (readonly [string, string])[]
  readonly credentials: Credentials | null
  /** The limit on received bytes; more end the visit with `page_too_large`. Null for our own limit. */
  readonly maximumBytes: number | null
  /** The limit on the page's navigations; more end the visit with `page_navigation_loop`. */
  readonly mostNavigations: number
  /** Windows that the page opens stay open under the same guards; otherwise they are closed at once. */
  readonly keepsWindows?: true
  /** Never shown: messages and artifacts have them replaced, in encoded forms too. */
  readonly secrets: readonly string[]
}

export type Network = 'none' | '4g' | '3g'

/** A fresh page, the only one of its context, at about:blank. */
export interface Visit {
  readonly page: Page
  /** The current window, which the picture of a failure shows: the page, until the work turns to another one. */
  inView: Page
  /** The page's session, for calls that the driver does not offer. */
  readonly session: CDPSession
  /**
   * `enter` names the current part and its failure if time runs out. Do not call `wait`: the visit itself is waiting on
   * it.
   */
  readonly attempt: Attempt
  /** Covered in the screenshot of a failure: the fields into which a secret was typed. */
  readonly masked: Locator[]
  /** Observations of the page from outside: its newest request and response, and other failures. */
  readonly watch: PageWatch
  /** Starts to measure for how many milliseconds the browser gets no CPU. */
  readonly watchStarvation: () => () => number
  /** All bytes that came through the proxy so far. */
  bytesReceived(): number
}
