import type { AddressFamily } from '../../outgoing/dial.ts'
import { Attempt, type CheckOutcome, observe } from '../../sensor/attempt.ts'
import type { Equipment } from '../../sensor/equipment.ts'
import { hiderOf, hideSecretsOfOutcome } from '../../sensor/hide-secrets.ts'
import { judgeAssertions } from '../../sensor/http/assertions.ts'
import { createCookieJar } from '../../sensor/http/cookies.ts'
import { decodeBody } from '../../sensor/http/decode-body.ts'
import { headerValue } from '../../sensor/http/headers.ts'
import { judgeContent, judgeSpeed, judgeStatus } from '../../sensor/http/judge.ts'
import { pageText } from '../../sensor/http/page-text.ts'
import { type HttpDemands, readDemands } from '../../sensor/http/request.ts'
import { isAccepted } from '../../sensor/http/statuses.ts'
import { type Arrival, follow, type Walk } from '../../sensor/http/walk.ts'
import { explainResponse } from '../../sensor/http/wire.ts'
import { type CheckJob, trialServiceId } from '../../sensor/protocol.ts'
import { readInteger } from '../../sensor/settings.ts'
import type { StallMeter } from '../../sensor/stall-meter.ts'

/** Up when a browser's user would see the page: http and https, redirects followed. */
export async function checkHttp(
  job: CheckJob,
  equipment: Equipment,
  family: AddressFamily,
  stallMeter: StallMeter,
): Promise<CheckOutcome> {
  const attempt = new Attempt(job.address, readInteger(job.settings, 'timeout'), stallMeter.moreMs)
  const secrets: string[] = []
  const outcome = await observe(attempt, async () => {
    const read = readDemands(job)
    secrets.push(...read.secrets)
    const asking = { attempt, equipment, family, demands: { ...read, secrets }, job, stallMeter }
    const arrival = await followAsClient(asking)
    attempt.stop()
    attempt.dataSize = arrival.received.bodyBytes
    await judgeAll(attempt, arrival, { ...asking.demands, tellsAll: job.serviceId === trialServiceId, stallMeter })
  })
  return hideSecretsOfOutcome(outcome, secrets)
}

interface Asking extends Pick<Walk, 'attempt' | 'equipment' | 'family'> {
  /** New secrets are added to its list. */
  readonly demands: HttpDemands & { readonly secrets: string[] }
  readonly job: CheckJob
  readonly stallMeter: StallMeter
}

/** With a token if the service has client credentials. A remembered one that is refused is fetched anew, once. */
async function followAsClient(asking: Asking): Promise<Arrival> {
  const { attempt, equipment, demands, job, stallMeter } = asking
  const { tokenDemands } = demands
  if (tokenDemands === null) return await follow(walkOf(asking, demands))
  const key = { serviceId: job.serviceId, demands: tokenDemands }
  const { dialler, tls, tokens } = equipment
  for (let tries = 1; ; tries += 1) {
    const token = await tokens.get(key, { dialler, tls, timeoutMs: attempt.remainingMs, moreMs: stallMeter.moreMs })
    demands.secrets.push(token.text)
    // The time of the token endpoint is not the target's.
    const beganAt = attempt.elapsedMs
    const arrival = await follow(walkOf(asking, { ...demands, authorization: `Bearer ${token.text}` }))
    attempt.responseMs = attempt.elapsedMs - beganAt
    const { status } = arrival.head
    if (status === unauthorized) tokens.forget(key)
    const isStale = status === unauthorized && token.isRemembered && tries === 1
    if (!isStale || isAccepted(demands.acceptedStatuses, status)) return arrival
  }
}

const unauthorized = 401

function walkOf({ attempt, equipment, family }: Asking, demands: HttpDemands): Walk {
  return { attempt, equipment, family, demands, cookies: createCookieJar(), met: { certificate: null } }
}

interface Judging extends HttpDemands {
  readonly tellsAll: boolean
  readonly stallMeter: StallMeter
}

/** The status is judged first: a 500 with a broken page is a 500. */
async function judgeAll(attempt: Attempt, arrival: Arrival, demands: Judging): Promise<void> {
  const { hop, received, head } = arrival
  const body = await decodeBody(received, headerValue(head, 'content-encoding')).catch((error: unknown) => {
    judgeStatus(head, demands)
    throw error
  })
  attempt.explain = () => explainResponse(attempt, { url: hop.url, received, secrets: demands.secrets }, body)
  judgeStatus(head, demands)
  await judgeContent(head, body, demands)
  judgeSpeed(attempt, demands)
  if (demands.assertions.length === 0) return
  const contentType = headerValue(head, 'content-type')
  let text: string | null = null
  const response = {
    ...{ head, isCut: received.isCapped, certificate: arrival.certificate, ip: attempt.evidence.ip_address },
    tookMs: attempt.responseMs ?? attempt.elapsedMs,
    missedMs: missedBy(demands.stallMeter),
    bodyText: () => {
      text ??= pageText(body, contentType)
      return text
    },
  }
  await judgeAssertions(attempt, response, { ...demands, hide: hiderOf(demands.secrets) })
}

/** The time in which this station did not run. */
function missedBy(stallMeter: StallMeter): number {
  const { heldMs, starvedMs } = stallMeter.whole()
  return Math.max(heldMs, starvedMs)
}
