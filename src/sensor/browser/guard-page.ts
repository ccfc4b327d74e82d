import type { BrowserContext, Page, Request, Response } from 'playwright-core'
import { Failure } from '../failure.ts'
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
  /** Resolves once no newer document is on its way than the one that is loaded. */
  settled(): Promise<void>
  /** What failed besides the page itself, in order. */
  readonly resourceErrors: readonly ResourceError[]
}

export interface ResourceError {
  readonly url: string
  readonly reason: string
}

const mostRequests = 2000
const mostDialogs = 20
const mostWindows = 20
const mostNotedErrors = 100

/** Keeps a page from holding the visit: dialogs are answered, windows closed, loops counted. */
export function guardPage(
  page: Page,
  context: BrowserContext,
  { mostNavigations, keepsWindows }: Pick<VisitOptions, 'mostNavigations' | 'keepsWindows'>,
): PageWatch {
  let document: Request | null = null
  let response: Response | null = null
  let requests = 0
  let navigations = 0
  let isUnderWay = false
  let waiting: (() => void)[] = []
  const arrive = (): void => {
    isUnderWay = false
    for (const resolve of waiting) resolve()
    waiting = []
  }
  const resourceErrors: ResourceError[] = []
  const watch: PageWatch = {
    doom: () => {},
    document: () => document,
    response: () => response,
    documentUrl: () => document?.url() ?? null,
    navigations: () => navigations,
    settled: () => (isUnderWay ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
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
    if (!isDocument(request)) return
    document = request
    response = null
    isUnderWay = true
    if (request.redirectedFrom() !== null) return
    navigations += 1
    if (navigations > mostNavigations) {
      watch.doom(
        new Failure('page_navigation_loop', `more than ${mostNavigations} navigations, the next to ${request.url()}`),
      )
    }
  })
  page.on('response', (answer) => {
    if (answer.request() === document) response = answer
    else if (answer.status() >= 400) note(answer.request(), `status ${answer.status()}`)
  })
  page.on('load', arrive)
  page.on('requestfailed', (request) => {
    if (request === document) arrive()
    const reason = request.failure()?.errorText ?? 'failed'
    // The page itself gave it up: it navigated on, or a script changed its mind.
    if (reason !== 'net::ERR_ABORTED') note(request, reason)
  })
  page.on('crash', () => watch.doom(new Failure('page_crashed', 'the process of the page ended')))
  page.on('close', () => watch.doom(new Failure('page_navigation_failed', 'the page closed itself')))
  answerDialogs(page, watch)
  guardWindows(page, context, { watch, keepsWindows: keepsWindows === true })
  return watch
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
function frameOf(request: Request): ReturnType<Request['frame']> | null {
  try {
    return request.frame()
  } catch {
    return null
  }
}
