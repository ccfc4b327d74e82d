import type { Frame } from 'playwright-core'
import type { AssertedEvent } from '../../domain/scenario.ts'
import { Failure } from '../../outgoing/failure.ts'
import { within } from '../browser/within.ts'
import { judgeStatus } from '../http/judge.ts'
import { parseStatuses } from '../http/statuses.ts'
import { matchesTitle, matchesUrl } from './match.ts'
import { type Act, poll } from './stage.ts'

/** A busy page still tells its title to the one who writes the message. */
const titlePatienceMs = 1000
export const pageStatuses = parseStatuses('200-399')

/** What the step says must follow it. `met` waits for it, `stop` forgets it. */
export interface AssertedEvents {
  met(): Promise<void>
  stop(): void
}

/** To be called before the step acts: what it sets off may be over before it returns. */
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

/** An error page explains more than that its title is another one. */
function judgeDocument(response: { status(): number; statusText(): string } | null): void {
  if (response === null) return
  judgeStatus({ status: response.status(), reason: response.statusText() }, { acceptedStatuses: pageStatuses })
}

const unread = Symbol('unread')

/** Null where it is as asserted. What the recording leaves empty is not asserted: the Recorder does not know every title in time. */
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
  // A frame that is gone has no title; where another one does not tell its own, nothing is known of it.
  if (shown === unread && !frame.isDetached())
    return new Failure('browser_failed', 'the browser did not tell the title')
  if (typeof shown === 'string' && matchesTitle(shown, title)) return null
  return new Failure(
    'scenario_title_differs',
    `the title is ${JSON.stringify(typeof shown === 'string' ? shown : '')}, not ${JSON.stringify(title)}`,
  )
}
