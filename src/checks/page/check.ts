import type { Response } from 'playwright-core'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { CheckOutcome } from '../../sensor/attempt.ts'
import { resourceErrorText } from '../../sensor/browser/evidence.ts'
import { loadPage } from '../../sensor/browser/load-page.ts'
import type { Visit } from '../../sensor/browser/visit.ts'
import { withPage } from '../../sensor/browser/with-page.ts'
import { withinOwnTime } from '../../sensor/browser/within.ts'
import type { Equipment } from '../../sensor/equipment.ts'
import { judgeSpeed, judgeStatus, judgeTexts } from '../../sensor/http/judge.ts'
import { pageText } from '../../sensor/http/page-text.ts'
import { parseStatuses } from '../../sensor/http/statuses.ts'
import type { CheckJob } from '../../sensor/protocol.ts'
import { type PageDemands, readPageDemands } from './demands.ts'

const mostNavigations = 15
const acceptedStatuses = parseStatuses('200-299')
/** `page.content()` of some pages never answers. */
const textPatienceMs = 5000

/** Up when the page loads in a browser as a person would see it. */
export function checkPage(job: CheckJob, equipment: Equipment): Promise<CheckOutcome> {
  const demands = readPageDemands(job)
  return withPage(job, equipment, { ...demands.visit, mostNavigations }, async (visit) => {
    await loadPage(visit, demands.visit.url, equipment.answerPatienceMs)
    await judgePage(visit, demands)
  })
}

/** The status is judged first: a 500 with a broken page is a 500. */
async function judgePage(visit: Visit, demands: PageDemands): Promise<void> {
  const response = visit.watch.response()
  if (response !== null) judgeStatus({ status: response.status(), reason: response.statusText() }, { acceptedStatuses })
  judgeResources(visit, demands)
  await judgeContent(visit, response, demands)
  judgeSpeed(visit.attempt, demands)
}

function judgeResources({ watch }: Visit, { failOnResourceErrors }: PageDemands): void {
  if (failOnResourceErrors && watch.resourceErrors.length > 0) {
    throw new Failure('page_resource_failed', resourceErrorText(watch.resourceErrors))
  }
}

/**
 * Patterns are searched in the visible text, in the document after its scripts ran, and in the server's original
 * answer.
 */
async function judgeContent(
  { page, watchStarvation }: Visit,
  response: Response | null,
  demands: PageDemands,
): Promise<void> {
  if (demands.contentPattern === null && demands.forbiddenPattern === null) return
  const texts = await withinOwnTime(
    textPatienceMs,
    Promise.all([
      page
        .locator(':root')
        // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not on the page for a person.
        .innerText()
        .catch(textOfNone),
      page.content(),
      sourceOf(response),
    ]),
    watchStarvation(),
  )
  if (texts === null) {
    throw new Failure('page_unresponsive', `the page did not tell its content within ${textPatienceMs} ms`)
  }
  await judgeTexts(texts, demands)
}

/** A drawing or another document of XML has no text for a person; where the browser failed, the text is not known. */
function textOfNone(error: unknown): string | null {
  return /not an HTMLElement/.test(errorText(error)) ? '' : null
}

async function sourceOf(response: Response | null): Promise<string | null> {
  if (response === null) return ''
  // Null is judged as a text that is not known.
  const body = await response.body().catch(() => null)
  if (body === null) return null
  return pageText(body, await response.headerValue('content-type'))
}
