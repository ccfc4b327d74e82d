import type { Wording } from '../channels/wording.ts'
import { serviceTypeOf } from '../checks/index.ts'
import { shownDuration, formatMoment as wireTime } from '../domain/calendars/time.ts'
import { isNotice, type NoticeFacts, type TestFacts } from '../domain/notification/notice.ts'
import type { TemplateValue } from '../domain/notification/template-render.ts'
import { messageConditions } from '../domain/notification/template-variables.ts'
import { oneLine } from '../domain/text/one-line.ts'
import { catalogues } from '../wording/texts.ts'
import { noticeLinks } from './links.ts'
import {
  areOfSensors,
  type CheckPart,
  contentOf,
  isFailing,
  mainReason,
  type NoticeInput,
  type NoticeRow,
  pauseReason,
  seenBy,
} from './notice-content.ts'
import { aligned } from './plain-text.ts'
import type { Reader } from './reader.ts'

type Values = Readonly<Record<string, TemplateValue>>

/**
 * The values of a template's variables (domain/notification/template-variables.ts). `usual`: the message in its default
 * wording.
 */
export function templateValues(facts: NoticeFacts | TestFacts, reader: Reader, usual: Wording): Values {
  const told = isNotice(facts) ? ofNotice(facts, reader) : ofTest(facts, reader)
  return {
    condition: facts.condition,
    ...Object.fromEntries(messageConditions.map((condition) => [condition, condition === facts.condition])),
    ...told,
    time_zone: reader.zone,
    message: { subject: usual.subject, text: usual.text.trim() },
  }
}

function ofTest({ service, group }: TestFacts, { language }: Reader): Values {
  const name = oneLine(service?.name ?? group.name, 200)
  return {
    headline: catalogues[language].notices.test.subject,
    service: { name, tags: [] },
    group: { id: group.id, name: oneLine(group.name, 200) },
  }
}

function ofNotice(facts: NoticeFacts, reader: Reader): Values {
  const texts = catalogues[reader.language].notices
  const input = { facts, reader, texts, links: noticeLinks(reader.publicUrl, facts, reader.acknowledgeToken) }
  const { name, address, headline, summary, checks, meanings, identity } = contentOf(input, true)
  const { service, group, previous, pauseReason: reason } = facts
  const shown = checks?.parts.map((part, index) => checkValues(input, part, index)) ?? []
  return {
    headline,
    reason: mainReason(facts, reader),
    pause_reason: reason === null ? null : pauseReason(texts, reason),
    start_time: wireTime(facts.sinceAt),
    duration: facts.durationSeconds,
    seen_by: isFailing(facts) && areOfSensors(facts) ? seenBy(input) : null,
    previous:
      previous === null ? null : { status: texts.statuses[previous.status], start_time: wireTime(previous.startedAt) },
    service: {
      ...{ id: service.id, name, address, url: input.links.service },
      type: serviceTypeOf(service.type_id)?.name[reader.language] ?? service.type_id,
      tags: (service.tags ?? []).map((tag) => oneLine(tag, 100)),
    },
    group: { id: group.id, name: oneLine(group.name, 200) },
    analysis: analysisValues(input),
    escalation: escalationValues(facts),
    acknowledge_url: input.links.acknowledge,
    checks: shown,
    failed_checks: shown.filter(({ result }) => result !== 'ok'),
    failures: (facts.failures ?? []).map(({ startedAt, endedAt }) => ({
      start_time: wireTime(startedAt),
      end_time: endedAt === null ? null : wireTime(endedAt),
      duration: endedAt === null ? null : shownDuration(startedAt, endedAt),
    })),
    meanings: meanings?.parts.map(({ label, value }) => ({ name: label, text: value })) ?? [],
    summary: rowValues(summary),
    identity: rowValues(identity),
  }
}

function escalationValues({ escalation }: NoticeFacts): TemplateValue {
  if (escalation === undefined) return null
  const { name, step, steps, repeat } = escalation
  return { name: oneLine(name, 200), step, steps, repeat }
}

function analysisValues({ facts: { analysis_id: id, checks }, links }: NoticeInput): TemplateValue {
  if (id === null) return null
  const count = (result: string) => checks.filter((check) => check.result === result).length
  return { id, url: links.analysis, ok: count('ok'), error: count('error'), unknown: count('unknown') }
}

/** @param index of the check among those of the notice, in whose order the parts are */
function checkValues({ facts, reader, links }: NoticeInput, part: CheckPart, index: number) {
  const check = facts.checks[index]
  const { artifact_types: types } = catalogues[reader.language].dictionaries
  const errorType = check?.error_type_id ?? null
  const url = check === undefined ? null : links.ofCheck(check.sensor_id).details
  return {
    ...{ sensor: part.sensor, result: part.result, outcome: part.outcome, message: part.message },
    reason: errorType === null ? null : (reader.diagnose(errorType, reader.language)?.name ?? null),
    response_time: check?.response_time ?? null,
    url,
    artifacts: url === null ? null : (check?.artifact_ids ?? []).map((id) => types[id].name).join(', '),
  }
}

function rowValues(rows: readonly NoticeRow[]): TemplateValue {
  const lines = aligned(rows.map(({ label, value }) => [label, value]))
  return rows.map(({ label, value }, index) => ({ label, value, line: lines[index] ?? '' }))
}
