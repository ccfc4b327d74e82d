import type { CDPSession } from 'playwright-core'

/** The navigation state of a page. */
export interface NavigationState {
  /** True if every requested document has arrived and loaded. */
  isSettled(): boolean
  /** Resolves once it is settled. */
  settled(): Promise<void>
  /** The number of documents that replaced the page. */
  arrivals(): number
  /**
   * True if the page asked to navigate and nothing has come of it yet. The page's own process reports this in order
   * with its answers on the session. Another process reports the request itself, perhaps later.
   */
  isLeaving(): boolean
  /** Resolves at the next step: a document arrived, was parsed, was loaded or was cancelled. */
  turns(): Promise<void>
  /** A document was requested. */
  depart(): void
  /** Nothing came of the request; the page stays. */
  stay(): void
}

/** A refresh after a longer time is a page that keeps itself up to date. */
const soonSeconds = 1

export async function followJourney(session: CDPSession): Promise<NavigationState> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const journey = new FollowedJourney(session, frameTree.frame.id)
  await session.send('Page.enable')
  return journey
}

class FollowedJourney implements NavigationState {
  #isWished = false
  #isAskedFor = false
  #isLoaded = true
  #arrivals = 0
  #waiting: (() => void)[] = []
  #turn = createTurn()

  constructor(session: CDPSession, pageFrame: string) {
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (frameId === pageFrame && disposition === 'currentTab') this.#isWished = true
    })
    session.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
      if (frameId === pageFrame && delay <= soonSeconds) this.#isWished = true
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === pageFrame) this.#arrive()
    })
    session.on('Page.domContentEventFired', () => this.#notice())
    session.on('Page.loadEventFired', () => {
      this.#isLoaded = true
      this.#wake()
      this.#notice()
    })
  }

  isSettled(): boolean {
    return this.#isLoaded && !this.#isAskedFor
  }

  settled(): Promise<void> {
    return this.isSettled() ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))
  }

  arrivals(): number {
    return this.#arrivals
  }

  isLeaving(): boolean {
    return this.#isWished
  }

  turns(): Promise<void> {
    return this.#turn.noticed
  }

  depart(): void {
    this.#isAskedFor = true
  }

  stay(): void {
    this.#isWished = false
    this.#isAskedFor = false
    this.#wake()
    this.#notice()
  }

  #arrive(): void {
    this.#arrivals += 1
    this.#isWished = false
    this.#isAskedFor = false
    this.#isLoaded = false
    this.#notice()
  }

  #wake(): void {
    if (!this.isSettled()) return
    for (const resolve of this.#waiting) resolve()
    this.#waiting = []
  }

  #notice(): void {
    const past = this.#turn
    this.#turn = createTurn()
    past.notice()
  }
}

function createTurn(): { readonly noticed: Promise<void>; readonly notice: () => void } {
  let notice = (): void => {}
  const noticed = new Promise<void>((resolve) => {
    notice = resolve
  })
  return { noticed, notice }
}
