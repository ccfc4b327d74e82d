import { formatMoment as exactMoment } from '../domain/calendars/time.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { incidentDocument, isOver } from '../domain/status-pages/status-page.ts'
import { oneLine } from '../domain/text/one-line.ts'
import type { NoticeOfIncident } from '../outbox/incident-notices.ts'
import { languageOf } from '../wording/language.ts'
import { formatMoment } from '../wording/moments.ts'
import { statusPageText } from '../wording/status-pages.ts'
import { subscriptionText } from '../wording/subscriptions.ts'

/** The page of a subscriber, and the links of one of them. */
export interface SubscriberReader {
  readonly pageId: number
  readonly title: string
  readonly languageId: string
  readonly timeZoneId: string
  /** Where the page is, without a slash at its end. */
  readonly pageUrl: string
  readonly confirmUrl: string
  readonly changeUrl: string
  readonly leaveUrl: string
}

export interface WordedNotice {
  readonly subject: string
  readonly text: string
}

/**
 * Words the question whether somebody wants messages. The address may be a stranger's, so nothing that the owner of the
 * page wrote is in it except the page's address.
 */
export function wordConfirmation({ languageId, pageUrl, confirmUrl }: SubscriberReader): WordedNotice {
  const language = languageOf(languageId)
  return {
    subject: subscriptionText('confirm_subject', language),
    text: `${subscriptionText('confirm_text', language, { page: pageUrl, link: confirmUrl })}\n`,
  }
}

/** Words the links of somebody who asked again. */
export function wordLinks({ languageId, pageUrl, changeUrl }: SubscriberReader): WordedNotice {
  const language = languageOf(languageId)
  return {
    subject: subscriptionText('links_subject', language),
    text: `${subscriptionText('links_text', language, { page: pageUrl, link: changeUrl })}\n`,
  }
}

const longestTitle = 100

/** Words a notice of an incident in the language and the time zone of its page. */
export function wordNotice(notice: NoticeOfIncident, toldId: string, reader: SubscriberReader): WordedNotice {
  const language = languageOf(reader.languageId)
  const status = statusPageText(notice.status, language)
  const names = notice.components.map(({ name }) => oneLine(name, longestTitle)).join(', ')
  const facts = { page: oneLine(reader.title, longestTitle), name: oneLine(notice.name, 200), status }
  const lines = [
    subscriptionText(`kind_${notice.kind}`, language, facts),
    ...(notice.update === null ? [] : [notice.update.body]),
    [...timesOf(notice, reader), ...(names === '' ? [] : [statusPageText('affects', language, { names })])].join('\n'),
    incidentUrl(toldId, reader),
    subscriptionText('footer', language, { page: facts.page, link: reader.changeUrl }),
  ]
  return {
    subject: subscriptionText('notice_subject', language, facts),
    text: `${lines.filter((line) => line !== '').join('\n\n')}\n`,
  }
}

function timesOf(notice: NoticeOfIncident, { languageId, timeZoneId }: SubscriberReader): readonly string[] {
  const { scheduledFor, scheduledUntil, startedAt, resolvedAt } = notice
  const zone = timeZoneName(timeZoneId) ?? 'UTC'
  const moment = (at: number) => formatMoment(at, zone)
  const language = languageOf(languageId)
  if (scheduledFor !== null && scheduledUntil !== null) {
    const facts = { from: moment(scheduledFor), until: moment(scheduledUntil), zone }
    return [subscriptionText('planned', language, facts)]
  }
  return [
    subscriptionText('since', language, { since: moment(startedAt), zone }),
    ...(resolvedAt === null ? [] : [subscriptionText('until', language, { until: moment(resolvedAt), zone })]),
  ]
}

/**
 * Where a reader finds it. An incident has a document of its own; that of a planned stop ends with the stop, so a link
 * to it leads to its place on the page, which stays.
 *
 * @param toldId an incident or a planned stop
 */
export function incidentUrl(toldId: string, { pageUrl }: SubscriberReader): string {
  return /^\d+$/.test(toldId) ? `${pageUrl}/${incidentDocument(toldId)}` : `${pageUrl}/#incident-${toldId}`
}

/** The condition that decides the color of a message. */
export function conditionOf({ status, kind }: NoticeOfIncident): 'failure' | 'recovery' | 'status_page' {
  if (status !== 'cancelled' && isOver(status)) return 'recovery'
  return kind === 'published' ? 'failure' : 'status_page'
}

/** The body of a webhook about an incident (docs/status-pages.md). */
export function noticePayload(
  notice: NoticeOfIncident,
  { toldId, decidedAt }: { readonly toldId: string; readonly decidedAt: number },
  reader: SubscriberReader,
): object {
  const moment = (at: number | null) => (at === null ? null : exactMoment(at))
  const { update } = notice
  return {
    type: `${notice.isMaintenance ? 'maintenance' : 'incident'}.${notice.kind}`,
    timestamp: exactMoment(decidedAt),
    data: {
      page: { id: String(reader.pageId), name: reader.title, url: reader.pageUrl },
      incident: {
        ...{ id: toldId, name: notice.name, status: notice.status, impact: notice.impact },
        ...{ started_at: moment(notice.startedAt), resolved_at: moment(notice.resolvedAt) },
        ...{ scheduled_for: moment(notice.scheduledFor), scheduled_until: moment(notice.scheduledUntil) },
        url: incidentUrl(toldId, reader),
        components: notice.components.map(({ id, name }) => ({ id: String(id), name })),
        update: update === null ? null : { id: update.id, body: update.body, display_at: moment(update.displayAt) },
      },
      subscription: { change_url: reader.changeUrl },
    },
  }
}

/** The body that a new webhook must answer with its `challenge`. `secret` signs everything that follows. */
export function challengePayload(
  { challenge, secret, decidedAt }: { readonly challenge: string; readonly secret: string; readonly decidedAt: number },
  { pageUrl, changeUrl }: SubscriberReader,
): object {
  return {
    type: 'subscription.challenge',
    timestamp: exactMoment(decidedAt),
    data: { challenge, secret, page: { url: pageUrl }, subscription: { change_url: changeUrl } },
  }
}
