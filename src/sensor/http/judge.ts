import type { Attempt } from '../attempt.ts'
import { Failure } from '../failure.ts'
import { matches } from '../pattern.ts'
import { headerValue } from './headers.ts'
import { pageText } from './page-text.ts'
import type { ResponseHead } from './received.ts'
import type { HttpDemands } from './request.ts'
import { isAccepted } from './statuses.ts'

export function judgeStatus({ status, reason }: ResponseHead, { acceptedStatuses }: HttpDemands): void {
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
  const text = pageText(body, headerValue(head, 'content-type'))
  if (contentPattern !== null && !matches('content_regex', contentPattern, text)) {
    throw new Failure('content_missing', `nothing on the page matches ${JSON.stringify(contentPattern)}`)
  }
  if (forbiddenPattern !== null && matches('negative_content_regex', forbiddenPattern, text)) {
    throw new Failure('content_forbidden', `the page matches ${JSON.stringify(forbiddenPattern)}`)
  }
}

export function judgeSpeed(attempt: Attempt, { maximumResponseMs }: HttpDemands): void {
  if (maximumResponseMs === null || attempt.elapsedMs <= maximumResponseMs) return
  throw new Failure(
    'response_too_slow',
    `took ${Math.round(attempt.elapsedMs)} ms, at most ${maximumResponseMs} ms wanted`,
  )
}
