import type { CDPSession } from 'playwright-core'
import type { Failure } from '../../outgoing/failure.ts'
import { hideSecrets } from '../hide-secrets.ts'
import { noPageDocument, showsNoPage } from './no-page.ts'
import type { PageWatch } from './page-watch.ts'
import type { Visit } from './visit.ts'

export interface Sitting {
  readonly visit: Visit
  readonly watch: PageWatch
  readonly secrets: readonly string[]
  /** The reason of the failure, without secrets. */
  readonly failure: Failure
  readonly patienceMs: number
}

type Way = () => Promise<Uint8Array>

const screenshotQuality = 70

/** The ways to take a picture of the failure. Each is the fallback of the one before. */
export function pictureWays(sitting: Sitting): readonly Way[] {
  const { visit, watch } = sitting
  const isOfPage = visit.inView === visit.page || visit.inView.isClosed()
  const screen: Way = () => takeScreen(sitting)
  if (!isOfPage || !showsNoPage(watch)) return [screen, screen]
  const window: Way = () => takeInWindow(sitting)
  return [window, window, () => takeInPlace(sitting), window]
}

/**
 * Uses a window of its own. In the page's place our text would race with the browser's error page. That page may appear
 * at any moment after the failure, replaces the content, and fails every call.
 */
async function takeInWindow(sitting: Sitting): Promise<Uint8Array> {
  const context = sitting.visit.page.context()
  sitting.watch.spareNextWindow()
  const window = await context.newPage()
  return await draw(await context.newCDPSession(window), sitting)
}

/** For a browser that opens no more windows. */
async function takeInPlace(sitting: Sitting): Promise<Uint8Array> {
  const { session } = sitting.visit
  const committed = new Promise<void>((resolve) => {
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined && frame.url === 'about:blank') resolve()
    })
  })
  await session.send('Page.navigate', { url: 'about:blank' })
  await committed
  return await draw(session, sitting)
}

async function draw(session: CDPSession, { watch, secrets, failure }: Sitting): Promise<Uint8Array> {
  const address = hideSecrets(watch.documentUrl() ?? '', secrets)
  const { frameTree } = await session.send('Page.getFrameTree')
  await session.send('Page.setDocumentContent', {
    frameId: frameTree.frame.id,
    html: noPageDocument(address, failure),
  })
  return await capture(session)
}

/** Shows the window of the last work; covered secrets stay covered. */
export async function takeScreen({ visit, patienceMs }: Pick<Sitting, 'visit' | 'patienceMs'>): Promise<Uint8Array> {
  const { page, inView, session, masked } = visit
  const shown = inView.isClosed() ? page : inView
  const mask = masked.filter((locator) => locator.page() === shown)
  return mask.length === 0
    ? await capture(shown === page ? session : await shown.context().newCDPSession(shown))
    : await shown.screenshot({ type: 'jpeg', quality: screenshotQuality, mask, timeout: patienceMs })
}

/**
 * Asks the browser directly. The driver's own way waits for fonts, and a font that never arrives may be the very
 * failure.
 */
async function capture(session: CDPSession): Promise<Uint8Array> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: screenshotQuality })
  return Buffer.from(data, 'base64')
}
