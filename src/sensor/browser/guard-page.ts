import type { BrowserContext, CDPSession, Page, Request, Response } from 'playwright-core'
import { Failure } from '../../outgoing/failure.ts'
import { followJourney, type NavigationState } from './navigation-state.ts'
import { pageFailure } from './page-failure.ts'
import type { PageWatch, ResourceError } from './page-watch.ts'
import type { VisitOptions } from './visit.ts'

/** A browser stays on the previous page after such an answer. */
const withoutDocument = new Set([204, 205])
const aborted = 'net::ERR_ABORTED'
const mostRequests = 2000
/** Limit on the characters of all requested addresses: the driver keeps them, and each may have two million. */
const mostAddresses = 16_000_000
const mostDialogs = 20
const mostWindows = 20
const mostNotedErrors = 100
const mostSecured = 20

export interface GuardedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** The page's session. */
  readonly session: CDPSession
}

/** Keeps a page from blocking the visit: it answers dialogs, closes windows and counts loops. */
export async function guardPage(
  { page, context, session }: GuardedPage,
  { mostNavigations, keepsWindows }: Pick<VisitOptions, 'mostNavigations' | 'keepsWindows'>,
): Promise<PageWatch> {
  const watch = new Guard(page, await followJourney(session), mostNavigations)
  // When the browser ends, its pages close a moment before its end is known.
  page.on('close', () => setImmediate(() => watch.doom(closedFailure(context))))
  answerDialogs(page, watch)
  guardWindows(page, context, { watch, keepsWindows: keepsWindows === true })
  return watch
}

class Guard implements PageWatch {
  doom: (failure: Failure) => void = () => {}
  readonly journey: NavigationState
  readonly resourceErrors: ResourceError[] = []
  readonly secured: Response[] = []
  readonly #page: Page
  readonly #mostNavigations: number
  #sparesWindow = false
  #document: Request | null = null
  #response: Response | null = null
  #requests = 0
  #addresses = 0
  #navigations = 0

  constructor(page: Page, journey: NavigationState, mostNavigations: number) {
    this.#page = page
    this.journey = journey
    this.#mostNavigations = mostNavigations
    page.on('request', (request) => {
      this.#count(request)
      if (this.#isDocument(request)) this.#depart(request)
    })
    page.on('response', (answer) => this.#answered(answer))
    page.on('requestfailed', (request) => this.#failed(request))
    page.on('crash', () => this.doom(new Failure('page_crashed', 'the process of the page ended')))
  }

  document(): Request | null {
    return this.#document
  }

  response(): Response | null {
    return this.#response
  }

  documentUrl(): string | null {
    return this.#document?.url() ?? null
  }

  navigations(): number {
    return this.#navigations
  }

  spareNextWindow(): void {
    this.#sparesWindow = true
  }

  /** True if this window is our own. */
  isSpared(): boolean {
    const isSpared = this.#sparesWindow
    this.#sparesWindow = false
    return isSpared
  }

  #isDocument(request: Request): boolean {
    return request.isNavigationRequest() && frameOf(request) === this.#page.mainFrame()
  }

  #count(request: Request): void {
    this.#requests += 1
    if (this.#requests > mostRequests) {
      this.doom(new Failure('page_too_many_requests', `more than ${mostRequests} requests`))
    }
    this.#addresses += request.url().length
    if (this.#addresses > mostAddresses) {
      this.doom(new Failure('page_too_many_requests', `addresses of more than ${mostAddresses} characters`))
    }
  }

  #depart(request: Request): void {
    this.#document = request
    this.#response = null
    this.journey.depart()
    if (request.redirectedFrom() !== null) return
    this.#navigations += 1
    const most = this.#mostNavigations
    if (this.#navigations > most) {
      this.doom(new Failure('page_navigation_loop', `more than ${most} navigations, the next to ${request.url()}`))
    }
  }

  #answered(answer: Response): void {
    if (answer.request() === this.#document) {
      this.#response = answer
      if (answer.url().startsWith('https:')) this.secured.push(answer)
      if (this.secured.length > mostSecured) this.secured.shift()
      if (withoutDocument.has(answer.status())) this.journey.stay()
    } else if (answer.status() >= 400) this.#note(answer.request(), `status ${answer.status()}`)
  }

  #failed(request: Request): void {
    const reason = request.failure()?.errorText ?? 'failed'
    if (request === this.#document) {
      this.journey.stay()
      // Otherwise the browser would show an error page of its own, or keep the old page and wait for ever.
      if (reason !== aborted) this.doom(pageFailure(new Error(`${reason} at ${request.url()}`)))
    }
    // The page itself cancelled it: it navigated on, or a script changed its mind.
    if (reason !== aborted) this.#note(request, reason)
  }

  #note(request: Request, reason: string): void {
    if (this.resourceErrors.length < mostNotedErrors && !this.#isDocument(request))
      this.resourceErrors.push({ url: request.url(), reason })
  }
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
    // An unanswered dialog blocks the page until the visit is over.
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
  readonly watch: Guard
  readonly keepsWindows: boolean
}

function guardWindows(page: Page, context: BrowserContext, { watch, keepsWindows }: WindowGuard): void {
  let windows = 0
  context.on('page', (other) => {
    if (other === page || watch.isSpared()) return
    windows += 1
    if (keepsWindows) answerDialogs(other, watch)
    // A window that closes itself is closed anyway; all windows close with the context.
    else other.close().catch(() => {})
    if (windows > mostWindows) watch.doom(new Failure('page_dialog_loop', `more than ${mostWindows} windows`))
  })
}

/** Null for a request of a service worker, or of a frame that is still being created. */
export function frameOf(request: Request): ReturnType<Request['frame']> | null {
  try {
    return request.frame()
  } catch {
    return null
  }
}
