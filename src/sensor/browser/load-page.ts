import { setTimeout as pause } from 'node:timers/promises'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { NavigationState } from './navigation-state.ts'
import type { Visit } from './visit.ts'
import { withinOwnTime } from './within.ts'

const departurePatienceMs = 1500
const departureTickMs = 10
const isSentOn =
  /interrupted by another navigation|Execution context was destroyed|frame was detached|Inspected target navigated or closed|Cannot find context/i

/**
 * Opens the address and follows scripts and refresh headers at once until a document is loaded and stays. The time of
 * that load event is the response time. The visit's limit of navigations ends a loop. A loaded page is unresponsive if
 * the shortest question takes longer than `answerPatienceMs`, unless the browser got no CPU meanwhile.
 */
export async function loadPage(visit: Visit, url: URL, answerPatienceMs: number): Promise<void> {
  const { page, attempt, watch } = visit
  const { journey } = watch
  attempt.enter('transfer', 'page_timeout')
  await unlessSentOn(page.goto(url.href, { waitUntil: 'load', timeout: 0 }))
  for (;;) {
    await journey.settled()
    const seen = journey.arrivals()
    attempt.responseMs = attempt.elapsedMs
    attempt.enter('transfer', 'page_unresponsive')
    await answers(visit, answerPatienceMs)
    if (journey.isLeaving()) await departure(journey)
    if (journey.isSettled() && journey.arrivals() === seen) return
    attempt.responseMs = null
    attempt.enter('transfer', 'page_timeout')
  }
}

/** Asks twice: the page's scripts run between the two answers, so a redirect by one of them has begun afterwards. */
async function answers({ session, watchStarvation }: Visit, patienceMs: number): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    const question = session.send('Runtime.evaluate', { expression: '1', returnByValue: true })
    const answered = unlessSentOn(question).then(() => true)
    const answer = await withinOwnTime(patienceMs, answered, watchStarvation())
    if (answer === null)
      throw new Failure('page_unresponsive', `the loaded page did not answer within ${patienceMs} ms`)
  }
}

/** A request may come to nothing: an address that is no web page, or a script that changes its mind. */
async function departure(journey: NavigationState): Promise<void> {
  const until = performance.now() + departurePatienceMs
  while (journey.isLeaving() && journey.isSettled() && performance.now() < until) await pause(departureTickMs)
}

async function unlessSentOn(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isSentOn.test(errorText(error))) throw error
  }
}
