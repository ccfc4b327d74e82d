import type { BrowserContext, Page, Request } from 'playwright-core'
import { frameOf } from './guard-page.ts'
import { type ArchivedPage, type ArchivedRequest, type HarView, harText } from './har.ts'

/** Records a visit's requests. Their HAR details are fetched from the driver only on demand. */
export interface Archive {
  har(view: HarView): Promise<string>
}

const mostRequests = 1000
const mostPages = 100

/** Call it before the context has a page. */
export function keepArchive(context: BrowserContext): Archive {
  const requests: ArchivedRequest[] = []
  const pages: ArchivedPage[] = []
  const shown = new Map<Page, ArchivedPage>()
  const finished = new WeakSet<Request>()
  const turnTo = (page: Page, title: string, startedAt: number): void => {
    const entry = { id: `page_${pages.length + 1}`, title, startedAt, contentMs: null, loadMs: null }
    shown.set(page, entry)
    if (pages.length < mostPages) pages.push(entry)
  }
  context.on('request', (request) => {
    if (requests.length >= mostRequests) return
    const startedAt = Date.now()
    const frame = frameOf(request)
    const page = frame?.page() ?? null
    const isNewPage = page !== null && request.isNavigationRequest() && request.redirectedFrom() === null
    if (isNewPage && frame === page.mainFrame()) turnTo(page, request.url(), startedAt)
    requests.push({ request, startedAt, pageId: (page === null ? null : shown.get(page)?.id) ?? null })
  })
  context.on('requestfinished', (request) => finished.add(request))
  // Without a listener the driver reports no responses outside the watched page.
  context.on('response', () => {})
  context.on('page', (page) => {
    const note = (name: 'contentMs' | 'loadMs') => () => {
      const entry = shown.get(page)
      if (entry !== undefined) entry[name] ??= Date.now() - entry.startedAt
    }
    page.on('domcontentloaded', note('contentMs'))
    page.on('load', note('loadMs'))
  })
  const browser = { name: 'chromium', version: context.browser()?.version() ?? '' }
  return { har: (view) => harText({ browser, pages, requests, isFinished: (request) => finished.has(request) }, view) }
}
