import type { CDPSession, Locator, Page } from 'playwright-core'
import type { Attempt } from '../attempt.ts'
import type { Credentials } from '../http/request.ts'
import type { PageWatch } from './page-watch.ts'

/** How a page is visited. */
export interface VisitOptions {
  /** Where the visit begins. Headers and credentials are sent to this host only. */
  readonly url: URL
  /** Of the whole work, from the moment the page is open; waiting for a free place in the browser is not the target's time. */
  readonly timeoutMs: number
  /** A phone of playwright's list; null for a desktop. */
  readonly device: string | null
  readonly network: Network
  readonly headers: readonly (readonly [string, string])[]
  readonly credentials: Credentials | null
  /** More bytes received than this end the visit with `page_too_large`; null for our own limit. */
  readonly maximumBytes: number | null
  /** More navigations of the page than this end the visit with `page_navigation_loop`. */
  readonly mostNavigations: number
  /** Windows that the page opens stay open, under the same guards; otherwise they are closed at once. */
  readonly keepsWindows?: true
  /** Never shown: replaced in messages and artifacts, also where they stand encoded. */
  readonly secrets: readonly string[]
}

export type Network = 'none' | '4g' | '3g'

/** A fresh page, the only one of its context, at about:blank. */
export interface Visit {
  readonly page: Page
  /** The window that is worked in, of which the picture of a failure is taken: the page until the work turns to another one. */
  inView: Page
  /** Of the page, for what the driver does not offer. */
  readonly session: CDPSession
  /** `enter` names the part that is under way and what it means if time runs out in it. Do not call its `wait`: the visit is waiting on it. */
  readonly attempt: Attempt
  /** Covered in the screenshot of a failure: fields that a secret was typed into. */
  readonly masked: Locator[]
  /** What was seen of the page from outside: its newest request and response, what failed besides. */
  readonly watch: PageWatch
  /** Tells from now on for how many milliseconds the browser got no CPU. */
  readonly watchStarvation: () => () => number
  /** Of all that came through the proxy, until now. */
  bytesReceived(): number
}
