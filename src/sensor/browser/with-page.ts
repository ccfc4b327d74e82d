import type { BrowserContext, Page } from 'playwright-core'
import { refusedOnTheWay } from '../../outgoing/dial.ts'
import { Failure } from '../../outgoing/failure.ts'
import { Attempt, type CheckOutcome, observe } from '../attempt.ts'
import type { Equipment } from '../equipment.ts'
import { hideSecrets, hideSecretsOfOutcome } from '../hide-secrets.ts'
import type { CheckJob } from '../protocol.ts'
import { readOptionalInteger } from '../settings.ts'
import { guarded } from '../truth-guard.ts'
import { type Archive, keepArchive } from './archive.ts'
import { explainCertificate } from './certificate-failure.ts'
import { contextOptions } from './context-options.ts'
import { collectEvidence } from './evidence.ts'
import { takeGoodScreenshot } from './good-screenshot.ts'
import { guardPage } from './guard-page.ts'
import { sendHeaders } from './home-headers.ts'
import { shapeNetwork } from './network-shape.ts'
import { noteCertificates } from './note-certificates.ts'
import { netErrorOf, pageFailure } from './page-failure.ts'
import type { PageWatch } from './page-watch.ts'
import { authorityOf, documentPhases } from './phases.ts'
import { openProxy, type VisitProxy } from './proxy.ts'
import type { Visit, VisitOptions } from './visit.ts'
import type { BrowserPlace } from './warm-browser.ts'
import { within } from './within.ts'

/** Kept free before the deadline, for the evidence of a failure and a browser that is slow to close. */
const evidenceMs = 6000
const openPatienceMs = 5000
/** A page of this size is a mistake or an attack; the setting of a service may permit less. */
const mostBytes = 200 * 1024 * 1024

interface Scene {
  readonly proxy: VisitProxy
  readonly context: BrowserContext
  readonly archive: Archive
  readonly page: Page
  readonly watch: PageWatch
  readonly visit: Visit
  /** For how many milliseconds of the work other programs kept the browser from a CPU. */
  readonly starvedMs: () => number
}

interface Play extends Scene {
  readonly job: CheckJob
  readonly place: BrowserPlace
  readonly equipment: Equipment
  readonly options: VisitOptions
}

/**
 * Runs the work on a fresh page of a fresh context under the station's guards, and turns any result into an outcome.
 * Rejects only with a Failure of the sensor's own, before the work begins.
 */
export async function withPage(
  job: CheckJob,
  equipment: Equipment,
  options: VisitOptions,
  work: (visit: Visit) => Promise<void>,
): Promise<CheckOutcome> {
  const { browser, dialler } = equipment
  if (browser === null) throw new Failure('browser_missing', 'this station has no browser')
  const place = await browser.enter(job.deadlineAt - Date.now() - options.timeoutMs - evidenceMs, job.ownerKey ?? '')
  let scene: Scene | null = null
  let context: BrowserContext | null = null
  const limit = { reached: (): void => {} }
  const largest = Math.min(options.maximumBytes ?? mostBytes, mostBytes)
  let proxy: VisitProxy | null = null
  try {
    proxy = await openProxy({
      dialler,
      timeoutMs: options.timeoutMs,
      onBytes: (total) => {
        if (total > largest) limit.reached()
      },
    })
    context = await place.open(await contextOptions(options, { proxyUrl: proxy.url, version: place.version }))
    scene = await setScene({ proxy, context, place }, options).catch((error: unknown) => {
      throw new Failure('browser_failed', pageFailure(error).message)
    })
    limit.reached = () => scene?.watch.doom(new Failure('page_too_large', `more than ${largest} bytes were received`))
    const outcome = await perform({ ...scene, job, place, equipment, options }, work)
    const isShown = outcome.result === 'ok' && job.wantsScreenshot === true
    const evidence = isShown ? await takeGoodScreenshot(scene.visit, equipment.evidencePatienceMs) : outcome.evidence
    return hideSecretsOfOutcome({ ...outcome, evidence }, options.secrets)
  } finally {
    await place.leave(context)
    proxy?.close()
  }
}

async function setScene(parts: Pick<Play, 'proxy' | 'context' | 'place'>, options: VisitOptions): Promise<Scene> {
  const { context, proxy, place } = parts
  const archive = keepArchive(context)
  const page = await within(openPatienceMs, context.newPage())
  if (page === null) throw new Failure('browser_failed', `the browser opened no page within ${openPatienceMs} ms`)
  const session = await context.newCDPSession(page)
  const watch = await guardPage({ page, context, session }, options)
  await shapeNetwork(session, options.network)
  await sendHeaders(session, options)
  const attempt = new Attempt(options.url.href, options.timeoutMs)
  attempt.enter('transfer', 'page_timeout')
  const { watchStarvation } = place
  const told = { watch, watchStarvation, bytesReceived: proxy.bytesReceived }
  const visit: Visit = { page, inView: page, session, attempt, masked: [], ...told }
  return { proxy, context, archive, page, watch, visit, starvedMs: place.watchStarvationByOthers() }
}

/** A failure to finish in time for lack of CPU says nothing about the page. */
async function perform(play: Play, work: (visit: Visit) => Promise<void>): Promise<CheckOutcome> {
  const { attempt } = play.visit
  let starvedMs = 0
  const outcome = await observe(attempt, async () => {
    try {
      await act(play, work)
    } catch (error) {
      starvedMs = play.starvedMs()
      throw error
    }
  })
  const seen = () => ({ elapsedMs: attempt.elapsedMs, heldMs: 0, starvedMs })
  return guarded(outcome, { whole: seen, owed: seen }, readOptionalInteger(play.job.settings, 'maximum_response_time'))
}

async function act(play: Play, work: (visit: Visit) => Promise<void>): Promise<void> {
  const { visit, watch, archive, proxy, place, equipment, options } = play
  const { attempt } = visit
  attempt.explain = async (failure) => {
    await collectEvidence({
      ...{ visit, watch, archive, failure, secrets: options.secrets, patienceMs: equipment.evidencePatienceMs },
      ipOf: (url) => proxy.dialled(authorityOf(url))?.ip ?? null,
      onMissing: equipment.onMissingEvidence,
    })
  }
  try {
    await attempt.wait<void>((resolve, reject) => {
      watch.doom = reject
      place.gone.then(() => reject(new Failure('browser_failed', 'the browser ended during the check')))
      work(visit).then(resolve, reject)
      return () => {}
    })
  } catch (error) {
    attempt.stop()
    throw hidden(await blamed(pageFailure(error), play), options.secrets)
  } finally {
    attempt.stop()
    attempt.dataSize = proxy.bytesReceived()
    attempt.measured(documentPhases(watch, proxy, attempt.responseMs ?? attempt.elapsedMs))
    await noteCertificates(visit)
    attempt.evidence.ip_address = proxy.dialled(authorityOf(watch.documentUrl() ?? options.url.href))?.ip ?? null
  }
}

/** The proxy knows better than the browser why the page could not be reached. */
async function blamed(failure: Failure, { visit, watch, proxy, equipment, options }: Play): Promise<Failure> {
  const url = watch.documentUrl()
  if (url === null || netErrorOf(failure.message) === null) return failure
  const authority = authorityOf(url)
  if (failure.symbol.startsWith('certificate_')) {
    const explained = await explainCertificate(authority, equipment)
    Object.assign(visit.attempt.facts, explained?.facts)
    return explained?.failure ?? failure
  }
  const known = proxy.dialled(authority)?.failure ?? failure
  const home = authorityOf(options.url.href)
  const led = authority === home ? known : refusedOnTheWay(known, proxy.dialled(home)?.ip ?? null)
  return led instanceof Failure ? led : known
}

function hidden(failure: Failure, secrets: readonly string[]): Failure {
  return secrets.length === 0 ? failure : new Failure(failure.symbol, hideSecrets(failure.message, secrets))
}
