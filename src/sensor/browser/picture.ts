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
  /** Why the check failed, without secrets. */
  readonly failure: Failure
  readonly patienceMs: number
}

type Way = () => Promise<Uint8Array>

const screenshotQuality = 70

/** How a picture of the failure is taken; a way stands behind the one that it replaces when that fails. */
export function pictureWays(sitting: Sitting): readonly Way[] {
  const { visit, watch } = sitting
  const isOfPage = visit.inView === visit.page || visit.inView.isClosed()
  const screen: Way = () => takeScreen(sitting)
  if (!isOfPage || !showsNoPage(watch)) return [screen, screen]
  const window: Way = () => takeInWindow(sitting)
  return [window, window, () => takeInPlace(sitting), window]
}

/**
 * In a window of its own: in the page's own place our text races with the page by which the browser tells of its error, which may come
 * at any moment after the failure, takes the place of what stands there and fails whatever is asked of it.
 */
async function takeInWindow(sitting: Sitting): Promise<Uint8Array> {
  const context = sitting.visit.page.context()
  sitting.watch.spareNextWindow()
  const window = await context.newPage()
  return await draw(await context.newCDPSession(window), sitting)
}

/** For a browser that opens no window any more. */
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

/** Of the window that was worked in last; what covers secrets stays covered. */
export async function takeScreen({ visit, patienceMs }: Pick<Sitting, 'visit' | 'patienceMs'>): Promise<Uint8Array> {
  const { page, inView, session, masked } = visit
  const shown = inView.isClosed() ? page : inView
  const mask = masked.filter((locator) => locator.page() === shown)
  return mask.length === 0
    ? await capture(shown === page ? session : await shown.context().newCDPSession(shown))
    : await shown.screenshot({ type: 'jpeg', quality: screenshotQuality, mask, timeout: patienceMs })
}

/** Directly: the driver's own way waits for fonts, and one that never comes may be the very failure. */
async function capture(session: CDPSession): Promise<Uint8Array> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: screenshotQuality })
  return Buffer.from(data, 'base64')
}
