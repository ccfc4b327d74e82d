import type { BrowserContext, CDPSession, Page, Request, Response } from 'playwright-core'
import { Failure } from '../failure.ts'
import { followJourney, type Journey } from './journey.ts'
import { pageFailure } from './page-failure.ts'
import type { VisitOptions } from './visit.ts'

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
  /** What failed besides the page itself, in order. */
  readonly resourceErrors: readonly ResourceError[]
}

export interface ResourceError {
  readonly url: string
  readonly reason: string
}

/** A browser stays on the page that led to such an answer. */
const withoutDocument = new Set([204, 205])
const aborted = 'net::ERR_ABORTED'
const mostRequests = 2000
/** Characters of all addresses asked for: the driver keeps them, and each may have two million. */
const mostAddresses = 16_000_000
const mostDialogs = 20
const mostWindows = 20
const mostNotedErrors = 100

export interface GuardedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Of the page. */
  readonly session: CDPSession
}

/** Keeps a page from holding the visit: dialogs are answered, windows closed, loops counted. */
export async function guardPage(
  { page, context, session }: GuardedPage,
  { mostNavigations, keepsWindows }: Pick<VisitOptions, 'mostNavigations' | 'keepsWindows'>,
): Promise<PageWatch> {
  let document: Request | null = null
  let response: Response | null = null
  let requests = 0
  let addresses = 0
  let navigations = 0
  const journey = await followJourney(session)
  const resourceErrors: ResourceError[] = []
  const watch: PageWatch = {
    doom: () => {},
    document: () => document,
    response: () => response,
    documentUrl: () => document?.url() ?? null,
    navigations: () => navigations,
    journey,
    resourceErrors,
  }
  const isDocument = (request: Request): boolean =>
    request.isNavigationRequest() && frameOf(request) === page.mainFrame()
  const note = (request: Request, reason: string): void => {
    if (resourceErrors.length < mostNotedErrors && !isDocument(request))
      resourceErrors.push({ url: request.url(), reason })
  }
  page.on('request', (request) => {
    requests += 1
    if (requests > mostRequests) {
      watch.doom(new Failure('page_too_many_requests', `more than ${mostRequests} requests`))
    }
    addresses += request.url().length
    if (addresses > mostAddresses) {
      watch.doom(new Failure('page_too_many_requests', `addresses of more than ${mostAddresses} characters`))
    }
    if (!isDocument(request)) return
    document = request
    response = null
    journey.depart()
    if (request.redirectedFrom() !== null) return
    navigations += 1
    if (navigations > mostNavigations) {
      watch.doom(
        new Failure('page_navigation_loop', `more than ${mostNavigations} navigations, the next to ${request.url()}`),
      )
    }
  })
  page.on('response', (answer) => {
    if (answer.request() === document) {
      response = answer
      if (withoutDocument.has(answer.status())) journey.stay()
    } else if (answer.status() >= 400) note(answer.request(), `status ${answer.status()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    if (request === document) {
      journey.stay()
      // Else the browser would show a page of its own, or what it has and wait for ever.
      if (reason !== aborted) watch.doom(pageFailure(new Error(`${reason} at ${request.url()}`)))
    }
    // The page itself gave it up: it navigated on, or a script changed its mind.
    if (reason !== aborted) note(request, reason)
  })
  page.on('crash', () => watch.doom(new Failure('page_crashed', 'the process of the page ended')))
  // When the browser ends, its pages close a moment before it is known to be gone.
  page.on('close', () => setImmediate(() => watch.doom(closedFailure(context))))
  answerDialogs(page, watch)
  guardWindows(page, context, { watch, keepsWindows: keepsWindows === true })
  return watch
}

function closedFailure(context: BrowserContext): Failure {
  return context.browser()?.isConnected() === true
    ? new Failure('page_navigation_failed', 'the page closed itself')
    : new Failure('browser_failed', 'the browser ended during the check')
}

function answerDialogs(page: Page, watch: PageWatch): void {
  let dialogs = 0
  page.on('dialog', (dialog) => {
    dialogs += 1
    // One that nobody answers holds the page until the visit is over.
    if (dialogs <= mostDialogs) dialog.accept().catch(() => {})
    else
      watch.doom(
        new Failure(
          'page_dialog_loop',
          `more than ${mostDialogs} dialogs, the last: ${dialog.message().slice(0, 200)}`,
        ),
      )
  })
}

interface WindowGuard {
  readonly watch: PageWatch
  readonly keepsWindows: boolean
}

function guardWindows(page: Page, context: BrowserContext, { watch, keepsWindows }: WindowGuard): void {
  let windows = 0
  context.on('page', (other) => {
    if (other === page) return
    windows += 1
    if (keepsWindows) answerDialogs(other, watch)
    else other.close().catch(() => {})
    if (windows > mostWindows) watch.doom(new Failure('page_dialog_loop', `more than ${mostWindows} windows`))
  })
}

/** Null for a request of a service worker or of a frame that is only being made. */
export function frameOf(request: Request): ReturnType<Request['frame']> | null {
  try {
    return request.frame()
  } catch {
    return null
  }
}
