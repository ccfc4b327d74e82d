import type { Page } from 'playwright-core'
import { errorText, Failure } from '../failure.ts'
import type { Visit } from './visit.ts'
import { within } from './within.ts'

/** How long a loaded page may take to answer the shortest question. */
const answerPatienceMs = 5000
const isSentOn = /interrupted by another navigation|Execution context was destroyed|frame was detached/i

/**
 * Opens the address and follows wherever scripts and refresh headers lead at once, until a document is loaded and stays. The time of
 * that load event is the response time. The visit's limit of navigations ends a loop.
 */
export async function loadPage({ page, attempt, watch }: Visit, url: URL): Promise<void> {
  attempt.enter('transfer', 'page_timeout')
  await unlessSentOn(page.goto(url.href, { waitUntil: 'load', timeout: 0 }))
  for (;;) {
    await watch.settled()
    const seen = watch.navigations()
    attempt.responseMs = attempt.elapsedMs
    attempt.enter('transfer', 'page_unresponsive')
    await answers(page)
    if (watch.navigations() === seen) return
    attempt.responseMs = null
    attempt.enter('transfer', 'page_timeout')
  }
}

/** Also gives a page that sends on at once the time to begin. */
async function answers(page: Page): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = await within(
      answerPatienceMs,
      unlessSentOn(page.evaluate('1')).then(() => true),
    )
    if (answer === null)
      throw new Failure('page_unresponsive', `the loaded page did not answer within ${answerPatienceMs} ms`)
  }
}

async function unlessSentOn(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isSentOn.test(errorText(error))) throw error
  }
}
