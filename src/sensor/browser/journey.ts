import type { CDPSession } from 'playwright-core'

/** Where a page is between its documents. */
export interface Journey {
  /** No document was asked for that is not there and loaded. */
  isSettled(): boolean
  /** Resolves when it is. */
  settled(): Promise<void>
  /** Documents that took the page's place. */
  arrivals(): number
  /**
   * The page asked to be sent on, and nothing has come of it yet. Told by the page's own process, in order with its answers on
   * the session: the request itself is told by another process and may be later.
   */
  isLeaving(): boolean
  /** Resolves at the next turn of it: a document came, was parsed, was loaded or was given up. */
  turns(): Promise<void>
  /** A document was asked for. */
  depart(): void
  /** Nothing came of it: the page stays where it is. */
  stay(): void
}

/** A refresh after a longer time is a page that keeps itself fresh. */
const soonSeconds = 1

export async function followJourney(session: CDPSession): Promise<Journey> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const pageFrame = frameTree.frame.id
  let isWished = false
  let isAskedFor = false
  let isLoaded = true
  let arrivals = 0
  let waiting: (() => void)[] = []
  let turn = createTurn()
  const notice = (): void => {
    const past = turn
    turn = createTurn()
    past.notice()
  }
  const isSettled = (): boolean => isLoaded && !isAskedFor
  const wake = (): void => {
    if (!isSettled()) return
    for (const resolve of waiting) resolve()
    waiting = []
  }
  session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
    if (frameId === pageFrame && disposition === 'currentTab') isWished = true
  })
  session.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
    if (frameId === pageFrame && delay <= soonSeconds) isWished = true
  })
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== pageFrame) return
    arrivals += 1
    isWished = false
    isAskedFor = false
    isLoaded = false
    notice()
  })
  session.on('Page.domContentEventFired', notice)
  session.on('Page.loadEventFired', () => {
    isLoaded = true
    wake()
    notice()
  })
  await session.send('Page.enable')
  return {
    isSettled,
    settled: () => (isSettled() ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    arrivals: () => arrivals,
    isLeaving: () => isWished,
    turns: () => turn.noticed,
    depart: () => {
      isAskedFor = true
    },
    stay: () => {
      isWished = false
      isAskedFor = false
      wake()
      notice()
    },
  }
}

function createTurn(): { readonly noticed: Promise<void>; readonly notice: () => void } {
  let notice = (): void => {}
  const noticed = new Promise<void>((resolve) => {
    notice = resolve
  })
  return { noticed, notice }
}
