import type { CDPSession, Frame, Page } from 'playwright-core'
import { type Scenario, type ScenarioStep, stepTimeout } from '../../domain/services/scenario.ts'
import type { Secrets } from '../../domain/services/scenario-secrets.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { Visit } from '../browser/visit.ts'
import { within } from '../browser/within.ts'
import { matchesUrl } from './match.ts'

/** A running scenario. */
export interface Performance {
  readonly visit: Visit
  readonly scenario: Scenario
  readonly secrets: Secrets
  /** The service's address, the base of relative addresses. */
  readonly home: URL
  /** Sessions of the browser's own protocol, for calls that the driver does not offer. */
  readonly sessions: Map<Page | Frame, Promise<CDPSession>>
}

/** A running step. */
export interface Act<S extends ScenarioStep = ScenarioStep> {
  readonly performance: Performance
  readonly step: S
  readonly page: Page
  readonly frame: Frame
  /** Milliseconds left; never 0, which the driver takes for endless. */
  remaining(): number
}

/** Short at first, because the awaited thing usually appears at once. */
const firstPollMs = 5
const longestPollMs = 100

interface Waiting {
  /** Milliseconds left. */
  remaining(): number
  /** A new document triggers the next poll at once. */
  readonly performance: Performance
}

/** Polls until there is an answer or the time is up (null). A question must not last longer than the time. */
export async function poll<T>({ remaining, performance }: Waiting, ask: () => Promise<T | null>): Promise<T | null> {
  const { journey } = performance.visit.watch
  for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
    const turn = journey.turns()
    const answer = await ask()
    if (answer !== null) return answer
    const left = remaining()
    if (left <= 1) return null
    await within(Math.min(pollMs, left), turn)
  }
}

export function sessionOf({ sessions, visit }: Performance, target: Page | Frame): Promise<CDPSession> {
  if (target === visit.page) return Promise.resolve(visit.session)
  const known = sessions.get(target)
  if (known !== undefined) return known
  const session = visit.page.context().newCDPSession(target)
  sessions.set(target, session)
  session.catch(() => sessions.delete(target))
  return session
}

/** Finds the page or frame of the step, and waits for it if necessary. */
export async function setStage(performance: Performance, step: ScenarioStep): Promise<Act> {
  const limitMs = stepTimeout(step, performance.scenario)
  const startedMs = performance.visit.attempt.elapsedMs
  const remaining = (): number => Math.max(1, Math.round(limitMs - (performance.visit.attempt.elapsedMs - startedMs)))
  const waiting = { remaining, performance }
  const target = await poll(waiting, async () => targetOf(performance, step.target))
  if (target === null) throw new Failure('scenario_target_missing', `no page or frame has the address ${step.target}`)
  const path = 'frame' in step ? step.frame : []
  const frame = await poll(waiting, async () => frameAt(target, path))
  if (frame === null) throw new Failure('scenario_target_missing', `there is no frame ${path.join('.')}`)
  return { performance, step, page: target.page(), frame, remaining }
}

function targetOf({ visit, home }: Performance, target: string): Frame | null {
  const pages = visit.page.context().pages()
  if (target === 'main') return visit.page.mainFrame()
  const frames = [...pages.map((page) => page.mainFrame()), ...pages.flatMap((page) => page.frames())]
  return frames.find((frame) => matchesUrl(frame.url(), target, home)) ?? null
}

function frameAt(target: Frame, path: readonly number[]): Frame | null {
  return path.reduce<Frame | null>((frame, index) => frame?.childFrames()[index] ?? null, target)
}
