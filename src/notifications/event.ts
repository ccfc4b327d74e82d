import type { EventBody, EventData } from '../channels/event.ts'
import type { Wording } from '../channels/wording.ts'
import { coreSensorId } from '../domain/judging/analysis.ts'
import { errorTypeById } from '../domain/judging/error-types.ts'
import {
  type DegradedNotice,
  type EscalationFacts,
  type IntentFacts,
  isNotice,
  type NoticeFacts,
} from '../domain/notification/notice.ts'
import { noticeLinks } from './links.ts'
import { withoutPassword } from './plain-text.ts'
import { shownPort } from './shown-port.ts'

/** RFC 3339 in whole seconds, as everywhere in the API. */
function wireTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}

const names: Readonly<Record<string, string>> = { pause: 'paused' }

/**
 * The content of a notification for programs (extensions §4). Null: a code or an acknowledgement, which no program
 * reads in this form.
 */
export function eventOf(facts: IntentFacts, { subject, text }: Wording, publicUrl: string): EventBody | null {
  if (facts.condition === 'confirmation' || facts.condition === 'acknowledgement') return null
  const message = { subject, text }
  if (!isNotice(facts)) {
    const data = { service: null, status_change: null, analysis: null, checks: [], message }
    return { type: 'test', timestamp: wireTime(facts.decidedAt), data }
  }
  const type = `service.${names[facts.condition] ?? facts.condition}`
  const { escalation } = facts
  const data = {
    ...{ service: serviceOf(facts, publicUrl), ...stateOf(facts), checks: checksOf(facts), message },
    ...(facts.degraded === undefined ? {} : { degraded: degradedOf(facts.degraded, facts.durationSeconds) }),
    ...(escalation === undefined ? {} : { escalation: escalationOf(escalation) }),
  }
  return { type, timestamp: wireTime(facts.decidedAt), data }
}

function escalationOf({ id, ...step }: EscalationFacts): NonNullable<EventData['escalation']> {
  return { escalation_id: id, ...step }
}

function degradedOf(
  { reasons, sinceAt, endedAt, expiry }: DegradedNotice,
  duration: number | null,
): NonNullable<EventData['degraded']> {
  const end_time = endedAt === null ? null : wireTime(endedAt)
  const told = { reasons, start_time: wireTime(sinceAt), end_time, duration }
  if (expiry === undefined) return told
  const { kind, name, endsAt, days } = expiry
  return { ...told, expiry: { kind, name, expires_at: wireTime(endsAt), warning_days: days } }
}

function serviceOf(facts: NoticeFacts, publicUrl: string): EventData['service'] {
  const { id, name, address, type_id, tags = [] } = facts.service
  const url = noticeLinks(publicUrl, facts).service
  const port = shownPort(facts.service)
  return { id, name, address: withoutPassword(address), port, type_id, group_id: facts.group.id, tags, url }
}

function stateOf({
  change,
  durationSeconds,
  analysis_id,
  checks,
}: NoticeFacts): Pick<EventData, 'status_change' | 'analysis'> {
  const count = (result: string) => checks.filter((check) => check.result === result).length
  return {
    status_change:
      change === undefined
        ? null
        : {
            change_id: change.id,
            start_time: wireTime(change.startedAt),
            end_time: change.endedAt === null ? null : wireTime(change.endedAt),
            duration: change.endedAt === null ? null : durationSeconds,
          },
    analysis:
      analysis_id === null ? null : { analysis_id, ok: count('ok'), error: count('error'), unknown: count('unknown') },
  }
}

function checksOf({ checks }: NoticeFacts): EventData['checks'] {
  return checks.map(({ sensor_id, sensor_name, result, error_type_id: id, response_time, ...said }) => ({
    ...{ sensor_id: sensor_id === coreSensorId ? null : sensor_id, sensor: sensor_name, result },
    error_type: id === null ? null : (errorTypeById(id)?.symbol ?? null),
    ...{ message: said.error_message ?? said.failed_assertions ?? null, response_time },
  }))
}
