import type { Frame } from 'playwright-core'
import type { AssertedEvent } from '../../domain/services/scenario.ts'
import { Failure } from '../../outgoing/failure.ts'
import { within } from '../browser/within.ts'
import { judgeStatus } from '../http/judge.ts'
import { parseStatuses } from '../http/statuses.ts'
import { matchesTitle, matchesUrl } from './match.ts'
import { type Act, poll } from './stage.ts'

/** Even a busy page reports its title for the message within this time. */
const titlePatienceMs = 1000
export const pageStatuses = parseStatuses('200-399')

/** The events that the step says must follow. `met` waits for them, `stop` forgets them. */
export interface AssertedEvents {
  met(): Promise<void>
  stop(): void
}

/** Call it before the step acts, because the events may be over before the step returns. */
export function awaitEvents(act: Act): AssertedEvents {
  const { page, frame, step, performance, remaining } = act
  const { assertedEvents } = step
  const navigated = new Set<Frame>()
  const note = (other: Frame): void => {
    if (other === frame || other === page.mainFrame()) navigated.add(other)
  }
  if (assertedEvents.length > 0) page.on('framenavigated', note)
  return {
    stop: () => page.off('framenavigated', note),
    async met() {
      for (const event of assertedEvents) {
        let last: Failure = new Failure('scenario_navigation_missing', 'no navigation followed')
        const isMet = await poll(act, async () => {
          for (const one of navigated) {
            const different = await differenceOf(one, event, { home: performance.home, remaining })
            if (different === null) return true
            last = different
          }
          return null
        })
        if (isMet !== null) continue
        if (navigated.has(performance.visit.page.mainFrame())) judgeDocument(performance.visit.watch.response())
        throw last
      }
    },
  }
}

/** An error status explains more than a different title. */
function judgeDocument(response: { status(): number; statusText(): string } | null): void {
  if (response === null) return
  judgeStatus({ status: response.status(), reason: response.statusText() }, { acceptedStatuses: pageStatuses })
}

const unread = Symbol('unread')

/**
 * Null if everything is as asserted. Values that the recording leaves empty are not asserted, because the Recorder does
 * not learn every title in time.
 */
async function differenceOf(
  frame: Frame,
  { url, title }: AssertedEvent,
  { home, remaining }: { readonly home: URL; readonly remaining: () => number },
): Promise<Failure | null> {
  const at = frame.url()
  if (url !== null && url !== '' && !matchesUrl(at, url, home)) {
    return new Failure('scenario_url_differs', `the address is ${at}, not ${url}`)
  }
  if (title === null || title === '') return null
  const shown = await within(
    Math.max(remaining(), titlePatienceMs),
    frame.title().catch(() => unread),
  )
  // A detached frame has no title. If another frame does not report its title, nothing is known.
  if (shown === unread && !frame.isDetached())
    return new Failure('browser_failed', 'the browser did not tell the title')
  if (typeof shown === 'string' && matchesTitle(shown, title)) return null
  return new Failure(
    'scenario_title_differs',
    `the title is ${JSON.stringify(typeof shown === 'string' ? shown : '')}, not ${JSON.stringify(title)}`,
  )
}
