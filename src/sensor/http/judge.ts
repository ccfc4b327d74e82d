import { Failure } from '../../outgoing/failure.ts'
import type { Attempt } from '../attempt.ts'
import { type Asker, matches, type WantedPattern } from '../pattern.ts'
import { headerValue } from './headers.ts'
import { pageText } from './page-text.ts'
import type { ResponseHead } from './received.ts'
import type { HttpDemands } from './request.ts'
import { isAccepted } from './statuses.ts'

/** A browser's page may be of any length; the body of a response was cut before. */
const longestText = 4_000_000

export function judgeStatus(
  { status, reason }: Pick<ResponseHead, 'status' | 'reason'>,
  { acceptedStatuses }: Pick<HttpDemands, 'acceptedStatuses'>,
): void {
  if (isAccepted(acceptedStatuses, status)) return
  const text = `status ${status} ${reason}`.trimEnd()
  if (status >= 500) throw new Failure('http_server_error', text)
  if (status >= 400) throw new Failure('http_client_error', text)
  throw new Failure('http_status_not_accepted', text)
}

type PatternDemands = Pick<HttpDemands, 'contentPattern' | 'forbiddenPattern' | 'asker'>

export async function judgeContent(head: ResponseHead, body: Buffer, demands: PatternDemands): Promise<void> {
  if (demands.contentPattern === null && demands.forbiddenPattern === null) return
  await judgeTexts([pageText(body, headerValue(head, 'content-type'))], demands)
}

/**
 * The wanted pattern must be in one of the texts, the forbidden one in none. Null is a text that could not be read; it
 * decides nothing.
 */
export async function judgeTexts(
  texts: readonly (string | null)[],
  { contentPattern, forbiddenPattern, asker }: PatternDemands,
): Promise<void> {
  const known = texts.filter((text) => text !== null)
  const isPart = known.length < texts.length
  if (
    contentPattern !== null &&
    !(await isInAny(known, { setting: 'content_regex', pattern: contentPattern }, asker))
  ) {
    if (isPart) throw unread()
    throw new Failure('content_missing', `nothing on the page matches ${JSON.stringify(contentPattern)}`)
  }
  if (forbiddenPattern === null) return
  if (await isInAny(known, { setting: 'negative_content_regex', pattern: forbiddenPattern }, asker)) {
    throw new Failure('content_forbidden', `the page matches ${JSON.stringify(forbiddenPattern)}`)
  }
  if (isPart) throw unread()
}

function unread(): Failure {
  return new Failure('browser_failed', 'the browser did not give the whole content of the page')
}

async function isInAny(texts: readonly string[], wanted: WantedPattern, asker: Asker): Promise<boolean> {
  for (const text of texts) if (await matches(wanted, text.slice(0, longestText), asker)) return true
  return false
}

export function judgeSpeed(attempt: Attempt, { maximumResponseMs }: Pick<HttpDemands, 'maximumResponseMs'>): void {
  const tookMs = attempt.responseMs ?? attempt.elapsedMs
  if (maximumResponseMs === null || tookMs <= maximumResponseMs) return
  throw new Failure('response_too_slow', `took ${Math.round(tookMs)} ms, at most ${maximumResponseMs} ms wanted`)
}
