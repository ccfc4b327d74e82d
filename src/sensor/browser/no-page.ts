import type { Failure } from '../../outgoing/failure.ts'
import type { PageWatch } from './page-watch.ts'

/** Chromium's name for a navigation that it cancelled itself; the previous page stays on the screen. */
const aborted = 'net::ERR_ABORTED'

/** True if the screen shows nothing of the target: an empty page, or the browser's own error page. */
export function showsNoPage(watch: PageWatch): boolean {
  if (watch.response() !== null) return false
  const failed = watch.document()?.failure() ?? null
  return failed === null ? watch.journey.arrivals() === 0 : failed.errorText !== aborted
}

/**
 * The picture of a failure without a page. It carries our name, so that nobody takes it for the target's or the
 * browser's.
 */
export function noPageDocument(address: string, { message }: Pick<Failure, 'message'>): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>No page</title><style>
body { margin: 0; border-top: 12px solid #8a1c1c; background: #fff; color: #222; font: 20px/1.5 sans-serif }
main { max-width: 900px; margin: 60px auto; padding: 0 24px; overflow-wrap: anywhere }
h1 { font-size: 32px; margin: 0 0 24px } code { font: 18px/1.5 monospace } footer { margin-top: 48px; color: #666 }
</style><main><h1>There was no page to show</h1><p><code>${escaped(address)}</code></p><p>${escaped(message)}</p>
<footer>Written by Latarnik. Nothing of this came from the address.</footer></main>`
}

const longestText = 600

function escaped(text: string): string {
  const shown = text.length > longestText ? `${text.slice(0, longestText)}…` : text
  return shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
