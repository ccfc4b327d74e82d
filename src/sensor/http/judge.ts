import type { Attempt } from '../attempt.ts'
import { Failure } from '../failure.ts'
import { matches } from '../pattern.ts'
import { headerValue } from './headers.ts'
import { pageText } from './page-text.ts'
import type { ResponseHead } from './received.ts'
import type { HttpDemands } from './request.ts'
import { isAccepted } from './statuses.ts'

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

export function judgeContent(
  head: ResponseHead,
  body: Buffer,
  { contentPattern, forbiddenPattern }: HttpDemands,
): void {
  if (contentPattern === null && forbiddenPattern === null) return
  judgeTexts([pageText(body, headerValue(head, 'content-type'))], { contentPattern, forbiddenPattern })
}

/** The wanted pattern must be in one of the texts, the forbidden one in none. */
export function judgeTexts(
  texts: readonly string[],
  { contentPattern, forbiddenPattern }: Pick<HttpDemands, 'contentPattern' | 'forbiddenPattern'>,
): void {
  if (contentPattern !== null && !texts.some((text) => matches('content_regex', contentPattern, text))) {
    throw new Failure('content_missing', `nothing on the page matches ${JSON.stringify(contentPattern)}`)
  }
  if (forbiddenPattern !== null && texts.some((text) => matches('negative_content_regex', forbiddenPattern, text))) {
    throw new Failure('content_forbidden', `the page matches ${JSON.stringify(forbiddenPattern)}`)
  }
}

export function judgeSpeed(attempt: Attempt, { maximumResponseMs }: Pick<HttpDemands, 'maximumResponseMs'>): void {
  const tookMs = attempt.responseMs ?? attempt.elapsedMs
  if (maximumResponseMs === null || tookMs <= maximumResponseMs) return
  throw new Failure('response_too_slow', `took ${Math.round(tookMs)} ms, at most ${maximumResponseMs} ms wanted`)
}
