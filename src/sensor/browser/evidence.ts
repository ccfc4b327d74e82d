import type { Failure } from '../failure.ts'
import { hideSecrets, hideSecretsInBytes } from '../hide-secrets.ts'
import { shownHeader } from '../http/headers.ts'
import type { CheckArtifact } from '../protocol.ts'
import type { Archive } from './archive.ts'
import { type HarView, protocolName } from './har.ts'
import { noPageDocument, showsNoPage } from './no-page.ts'
import type { PageWatch } from './page-watch.ts'
import type { Visit } from './visit.ts'
import { within } from './within.ts'

interface Collection {
  readonly visit: Visit
  readonly watch: PageWatch
  readonly archive: Archive
  readonly secrets: readonly string[]
  readonly ipOf: HarView['ipOf']
  /** Why the check failed, without secrets. */
  readonly failure: Failure
  readonly patienceMs: number
}

const largestContentBytes = 1024 * 1024
const largestHarBytes = 32 * 1024 * 1024
const screenshotQuality = 70

/** Takes what the failed page still gives: what was on the screen, what the server had sent, what was asked for. Never rejects. */
export async function collectEvidence(collection: Collection): Promise<void> {
  const { visit, watch, archive, secrets, ipOf, patienceMs } = collection
  const [screenshot, content, headers, har] = await Promise.all([
    within(patienceMs, takePicture(collection)).catch(() => null),
    within(patienceMs, readContent(watch, secrets)).catch(() => null),
    within(patienceMs, headersOf(watch)).catch(() => null),
    within(patienceMs, readHar(archive, { secrets, ipOf })).catch(() => null),
  ])
  const { evidence, facts } = visit.attempt
  const response = watch.response()
  evidence.base_url = hideSecrets(watch.documentUrl() ?? evidence.base_url, secrets)
  evidence.status_code = response?.status() ?? null
  evidence.response_headers = headers === null ? null : hideSecrets(headers, secrets)
  evidence.content_type = content?.contentType ?? null
  evidence.artifacts = [content, har, screenshot].filter((artifact) => artifact !== null)
  const errors = watch.resourceErrors
  if (errors.length > 0) facts['resource_errors'] = hideSecrets(resourceErrorText(errors), secrets)
}

/** The first few, for people. */
export function resourceErrorText(errors: PageWatch['resourceErrors']): string {
  const shown = errors.slice(0, 5).map(({ url, reason }) => `${url.slice(0, 300)}: ${reason}`)
  return errors.length > shown.length ? `${shown.join('; ')}; ${errors.length - shown.length} more` : shown.join('; ')
}

async function takePicture(collection: Collection): Promise<CheckArtifact> {
  const { visit, watch } = collection
  const isOfPage = visit.inView === visit.page || visit.inView.isClosed()
  return isOfPage && showsNoPage(watch) ? takeNoPage(collection) : takeScreenshot(visit, collection.patienceMs)
}

async function takeNoPage({ visit: { session }, watch, secrets, failure }: Collection): Promise<CheckArtifact> {
  const address = hideSecrets(watch.documentUrl() ?? '', secrets)
  // Also ends whatever would still come: the browser's own page follows its error.
  const { frameId } = await session.send('Page.navigate', { url: 'about:blank' })
  await session.send('Page.setDocumentContent', { frameId, html: noPageDocument(address, failure) })
  return { typeId: 'screenshot', contentType: 'image/jpeg', bytes: await capture(session) }
}

async function takeScreenshot({ page, inView, session, masked }: Visit, patienceMs: number): Promise<CheckArtifact> {
  const shown = inView.isClosed() ? page : inView
  const mask = masked.filter((locator) => locator.page() === shown)
  const bytes =
    mask.length === 0
      ? await capture(shown === page ? session : await shown.context().newCDPSession(shown))
      : await shown.screenshot({ type: 'jpeg', quality: screenshotQuality, mask, timeout: patienceMs })
  return { typeId: 'screenshot', contentType: 'image/jpeg', bytes }
}

/** Directly: the driver's own way waits for fonts, and one that never comes may be the very failure. */
async function capture(session: Visit['session']): Promise<Uint8Array> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality: screenshotQuality })
  return Buffer.from(data, 'base64')
}

async function readContent(watch: PageWatch, secrets: readonly string[]): Promise<CheckArtifact | null> {
  const response = watch.response()
  if (response === null) return null
  const contentType = (await response.headerValue('content-type')) ?? ''
  const body = (await response.body()).subarray(0, largestContentBytes)
  return { typeId: 'content', contentType, bytes: hideSecretsInBytes(body, secrets) }
}

async function headersOf(watch: PageWatch): Promise<string | null> {
  const response = watch.response()
  if (response === null) return null
  const lines = (await response.headersArray()).map(shownHeader).map(({ name, value }) => `${name}: ${value}`)
  const version = protocolName(await response.httpVersion())
  return [`${version} ${response.status()} ${response.statusText()}`.trimEnd(), ...lines].join('\n')
}

async function readHar(archive: Archive, view: HarView): Promise<CheckArtifact | null> {
  const bytes = Buffer.from(await archive.har(view))
  return bytes.length > largestHarBytes ? null : { typeId: 'har', contentType: 'application/json', bytes }
}
