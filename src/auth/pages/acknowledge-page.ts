import { acknowledgedChannelIds } from '../../channels/index.ts'
import type { Database } from '../../database/connect.ts'
import { timeZoneName } from '../../domain/calendars/time-zones.ts'
import {
  type AcknowledgeTarget,
  type LinkedFailure,
  readAcknowledgeToken,
  readLinkedFailure,
  readLinkKey,
} from '../../outbox/acknowledge-links.ts'
import { acknowledgeChange } from '../../service-state/acknowledgements.ts'
import { lockPlans } from '../../service-state/statuses.ts'
import { type Html, html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { formatMoment } from '../../wording/moments.ts'
import { pageText } from '../../wording/texts.ts'
import { brokenLink, type Followed, type LinkPage } from './link-page.ts'

/** Characters. */
const longestComment = 1000

interface Found {
  readonly target: AcknowledgeTarget
  readonly failure: LinkedFailure
}

async function find(database: Database, token: string): Promise<Found | null> {
  const target = readAcknowledgeToken(await readLinkKey(database), token)
  if (target === null) return null
  const failure = await readLinkedFailure(database, target)
  return failure === null ? null : { target, failure }
}

/** A person with the message may acknowledge without a login. The page repeats the message and has one button. */
export async function showFailure(database: Database, { token, language }: Followed): Promise<LinkPage> {
  const found = await find(database, token)
  if (found === null) return brokenLink(language)
  const { failure } = found
  if (failure.acknowledged_at !== null || failure.ended_at !== null) return told(language, failure)
  const content = html`
${factsHtml(failure, language)}
<p>${pageText('acknowledge_asked', language)}</p>
<form method="post" action="/acknowledge">
<input type="hidden" name="token" value="${token}">
<label for="comment">${pageText('acknowledge_comment', language)}</label>
<input id="comment" name="comment" maxlength="${longestComment}">
<div class="actions"><button type="submit">${pageText('acknowledge', language, { name: failure.reader_name })}</button></div>
</form>`
  return { status: 200, page: { language, title: pageText('acknowledge_title', language), content } }
}

/** A second press changes nothing, and shows who was first. */
export async function acknowledgeByLink(
  database: Database,
  { token, language, now, form }: Followed,
): Promise<LinkPage> {
  const found = await find(database, token)
  if (found === null) return brokenLink(language)
  const { target, failure } = found
  if (failure.ended_at !== null) return told(language, failure)
  const comment = (form?.get('comment') ?? '').trim().slice(0, longestComment)
  const after = await database.transaction(async (transaction) => {
    await lockPlans(transaction, [target.serviceId])
    await acknowledgeChange(transaction, {
      ...{ serviceId: target.serviceId, changeId: target.changeId, at: now },
      ...{ accountId: failure.reader_account_id, name: failure.reader_name, comment: comment === '' ? null : comment },
      channels: acknowledgedChannelIds,
    })
    return readLinkedFailure(transaction, target)
  })
  return after === null ? brokenLink(language) : told(language, after)
}

/** Shows that the failure is acknowledged, or over, so nothing is left to do. */
function told(language: Language, failure: LinkedFailure): LinkPage {
  const { acknowledged_at: at, acknowledged_by: name, ended_at: endedAt } = failure
  const zone = zoneOf(failure)
  const lines = [
    ...(at === null
      ? []
      : [pageText('acknowledged_by', language, { name: name ?? '–', time: formatMoment(at, zone) })]),
    endedAt === null
      ? pageText('acknowledged_lasts', language)
      : pageText('acknowledge_over', language, { time: formatMoment(endedAt, zone) }),
  ]
  const title = pageText(at === null ? 'acknowledge_over_title' : 'acknowledged_title', language)
  const content = html`${factsHtml(failure, language)}${lines.map((line) => html`<p>${line}</p>`)}`
  return { status: 200, page: { language, title, content } }
}

function factsHtml(failure: LinkedFailure, language: Language): Html {
  const time = formatMoment(failure.started_at, zoneOf(failure))
  return html`<p><strong>${failure.service_name}</strong><br><span class="hint">${pageText('acknowledge_since', language, { time, zone: zoneOf(failure) })}</span></p>`
}

function zoneOf({ time_zone_id: zone }: LinkedFailure): string {
  return timeZoneName(zone) ?? 'UTC'
}
