import type { Attachment } from '../channels/wording.ts'
import type { NoticeFacts } from '../domain/notification/notice.ts'
import type { NoticeLinks } from './links.ts'
import { withoutPassword } from './plain-text.ts'
import { shownPort } from './shown-port.ts'

/** RFC 3339 in whole seconds, as everywhere in the API. */
function wireTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** The facts as JSON for programs that read mail: names and times as in the API. A new field is no new version. */
export function machineReadable(facts: NoticeFacts, links: NoticeLinks): Attachment {
  const { previous, degraded } = facts
  const notice = {
    version: 1,
    notification_condition_id: facts.condition,
    service: { ...facts.service, address: withoutPassword(facts.service.address), port: shownPort(facts.service) },
    group: facts.group,
    time: wireTime(facts.decidedAt),
    since: wireTime(facts.sinceAt),
    previous: previous === null ? null : { status: previous.status, start_time: wireTime(previous.startedAt) },
    duration: facts.durationSeconds,
    analysis_id: facts.analysis_id,
    checks: facts.checks,
    pause_reason: facts.pauseReason,
    failures: (facts.failures ?? []).map(({ startedAt, endedAt }) => ({
      start_time: wireTime(startedAt),
      end_time: endedAt === null ? null : wireTime(endedAt),
    })),
    ...(degraded === undefined ? {} : { degraded_reasons: degraded.reasons }),
    links: links.api,
  }
  const content = `${JSON.stringify(notice, null, 2)}\n`
  return { fileName: 'notification.json', contentType: 'application/json', content }
}
