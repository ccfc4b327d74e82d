import { channelOf } from '../channels/index.ts'
import { errorType, errorTypeById } from '../domain/judging/error-types.ts'
import type { MessageTemplate } from '../domain/notification/message-template.ts'
import type { NoticeCheck, NoticeCondition, NoticeFacts, TestFacts } from '../domain/notification/notice.ts'
import { oneLine } from '../domain/text/one-line.ts'
import { errorTypeText } from '../wording/error-types.ts'
import type { Language } from '../wording/language.ts'
import { wordNotice } from './message.ts'
import type { Reader } from './reader.ts'
import { wordByTemplate } from './templated.ts'
import { wordTest } from './test-message.ts'

interface PreviewRequest extends Previewed {
  readonly template: MessageTemplate
}

/** A message that is not sent. */
export interface Previewed {
  readonly channelId: string
  readonly language: Language
  /** IANA name. */
  readonly zone: string
  readonly publicUrl: string
  /** A notification that was sent; else the condition of an example. */
  readonly notice: NoticeFacts | NoticeCondition | 'test'
}

/** Words a message that is not sent, without its picture. */
export function previewMessage({ template, ...previewed }: PreviewRequest) {
  const { channelId } = previewed
  const { facts, reader, usual } = usualMessage(previewed)
  const { subject, text, html } = wordByTemplate(template, facts, reader, usual)
  // Gateways of SMS make one line of a text.
  const isSms = channelOf(channelId).style === 'sms'
  return { subject, text: isSms ? `${oneLine(text, 2000)}\n` : text, html: html ?? null }
}

/** The message and its default wording without a template. A preview has no link that acknowledges anything. */
export function usualMessage({ channelId, language, zone, publicUrl, notice }: Previewed) {
  const facts = typeof notice === 'string' ? exampleOf(notice) : notice
  const lasts = facts.condition === 'failure' || facts.condition === 'failure_continuation'
  const reader: Reader = { language, zone, publicUrl, diagnose, acknowledgeToken: lasts ? 'EXAMPLE' : null }
  const usual = facts.condition === 'test' ? wordTest(facts, reader) : wordNotice(facts, channelId, reader)
  return { facts, reader, usual }
}

function diagnose(id: number, language: Language) {
  const found = errorTypeById(id)
  return found === null ? null : errorTypeText(found.symbol, language)
}

const failedAt = Date.UTC(2026, 10, 21, 11, 13, 0)
const recoveredAt = failedAt + 303_000
const service = { id: 12, name: 'Example shop', address: 'shop.example.com/', type_id: 'http', tags: ['web'] }
const group = { id: 3, name: 'Default' }

function checkOf(sensor: number, city: string, isOk: boolean): NoticeCheck {
  const seen = isOk
    ? ({ result: 'ok', error_type_id: null, error_message: null } as const)
    : ({
        result: 'error',
        error_type_id: errorType('connection_refused').id,
        error_message: 'connect ECONNREFUSED 192.0.2.7:80',
      } as const)
  return { sensor_id: sensor, sensor_name: `${city} 1`, city, country: 'Polska', response_time: 12, ...seen }
}

/** A shop that answers slowly, and the end of that. */
function degradedExample(condition: 'degraded' | 'degraded_end'): NoticeFacts {
  const isOver = condition === 'degraded_end'
  const decidedAt = isOver ? recoveredAt : failedAt
  const endedAt = isOver ? recoveredAt : null
  return {
    ...{ condition, service, group, decidedAt, sinceAt: failedAt },
    change: { id: '17636371800', startedAt: failedAt - 86_400_000, endedAt: null },
    previous: null,
    durationSeconds: isOver ? 303 : null,
    analysis_id: '176372358000000',
    checks: [checkOf(1, 'Warszawa', true), checkOf(2, 'Gdańsk', true), checkOf(3, 'Kraków', true)],
    pauseReason: null,
    degraded: { reasons: isOver ? [] : ['slow'], sinceAt: failedAt, endedAt },
  }
}

/** The failure of a shop, and what follows it. */
function exampleOf(condition: NoticeCondition | 'test'): NoticeFacts | TestFacts {
  if (condition === 'test') return { condition, service, group, decidedAt: failedAt }
  if (condition === 'degraded' || condition === 'degraded_end') return degradedExample(condition)
  const isOver = condition === 'recovery' || condition === 'pause'
  return {
    ...{ condition, service, group },
    decidedAt: recoveredAt,
    sinceAt: isOver ? recoveredAt : failedAt,
    change: { id: '17637235800', startedAt: failedAt, endedAt: isOver ? recoveredAt : null },
    previous: isOver ? { status: 'failure', startedAt: failedAt } : { status: 'ok', startedAt: failedAt - 86_400_000 },
    durationSeconds: condition === 'recovery' || condition === 'failure_continuation' ? 303 : null,
    analysis_id: condition === 'pause' ? null : '176372358000000',
    checks:
      condition === 'pause'
        ? []
        : [checkOf(1, 'Warszawa', isOver), checkOf(2, 'Gdańsk', isOver), checkOf(3, 'Kraków', true)],
    pauseReason: condition === 'pause' ? 'user' : null,
    ...(condition === 'silent_failure' ? { failures: [{ startedAt: failedAt, endedAt: recoveredAt }] } : {}),
  }
}
