import { formatMoment } from '../../domain/calendars/time.ts'
import { daysLeft } from '../../domain/expiry/expiry.ts'
import type { DegradedReason } from '../../domain/judging/degraded.ts'
import { type ErrorTypeSymbol, errorTypeById } from '../../domain/judging/error-types.ts'
import { errorTypeText } from '../../wording/error-types.ts'
import type { Language } from '../../wording/language.ts'
import { formatNumber } from '../../wording/numbers.ts'
import { checkWords } from './words.ts'

/** A check as it is shown, of this machine or of a station elsewhere. Milliseconds. */
export interface ShownCheck {
  /** Null: this machine. */
  readonly station: string | null
  readonly result: 'ok' | 'error' | 'unknown'
  readonly responseTime: number | null
  readonly errorTypeId: number | null
  readonly errorMessage: string | null
  readonly phases: Readonly<Record<string, number | null>> | null
  readonly statusCode: number | null
  readonly reasons: readonly DegradedReason[]
  /** Unix milliseconds; null: no end of a certificate or domain was seen. */
  readonly expiresAt: number | null
  readonly facts: Readonly<Record<string, unknown>>
  /** In the order of the scenario; other types have none. */
  readonly steps: readonly ShownStep[]
  readonly ipAddress: string | null
}

export interface ShownStep {
  readonly name: string
  readonly result: 'ok' | 'error' | 'not_run'
  readonly responseTime: number | null
}

export interface ErrorShown {
  readonly id: number
  readonly symbol: ErrorTypeSymbol
  readonly name: string
  readonly advice: string
}

/** The error in words; null for none, and for one that a newer installation knows alone. */
export function errorShown(id: number | null, language: Language): ErrorShown | null {
  const type = id === null ? null : errorTypeById(id)
  if (type === null) return null
  const { name, diagnosis } = errorTypeText(type.symbol, language)
  return { id: type.id, symbol: type.symbol, name, advice: diagnosis }
}

/** Control characters of a target's answer must not reach the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** Milliseconds with as many digits as say something. */
function duration(ms: number, language: Language): string {
  return `${formatNumber(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms), language)} ms`
}

/** The assertions that did not hold, each with what came. */
function assertionLines({ facts }: ShownCheck, language: Language): readonly string[] {
  const words = checkWords[language]
  return Object.entries(facts).flatMap(([name, result]) => {
    const [, number] = /^assertion_(\d+)_result$/.exec(name) ?? []
    if (number === undefined || result === 'ok') return []
    const [expected, came] = ['expected', 'came'].map((part) =>
      plain(String(facts[`assertion_${number}_${part}`] ?? '')),
    )
    return [`  ${words.assertion(number, expected ?? '', came ?? '')}`]
  })
}

function stepLines({ steps }: ShownCheck, language: Language): readonly string[] {
  return steps.map(({ name, result, responseTime }) => {
    const time = responseTime === null ? [] : [duration(responseTime, language)]
    return `  ${[checkWords[language].steps[result], plain(name), ...time].join(' · ')}`
  })
}

/** The facts of a registry about a domain. */
function domainLines({ facts }: ShownCheck, language: Language): readonly string[] {
  const told = Object.entries(checkWords[language].facts).flatMap(([name, said]) => {
    const value = facts[name]
    return typeof value === 'string' && value !== '' ? [`${said} ${plain(value)}`] : []
  })
  return told.length === 0 ? [] : [`  ${told.join(' · ')}`]
}

/** The end of a certificate or domain, and why a good check would still leave the service degraded. */
function outlookLines({ reasons, expiresAt }: ShownCheck, language: Language, now: number): readonly string[] {
  const words = checkWords[language]
  const end =
    expiresAt === null ? [] : [`  ${words.validUntil(formatMoment(expiresAt), daysLeft({ endsAt: expiresAt }, now))}`]
  return reasons.length === 0 ? end : [`  ${degradedLine(reasons, language)}`, ...end]
}

export function degradedLine(reasons: readonly DegradedReason[], language: Language): string {
  const words = checkWords[language]
  return `${words.degraded} ${reasons.map((reason) => words.reasons[reason]).join(', ')}.`
}

/** The check in lines: its result, its phases, and after a fault the advice. */
export function linesOf(check: ShownCheck, language: Language, now = Date.now()): readonly string[] {
  const words = checkWords[language]
  const { station, result, responseTime, phases, errorMessage, ipAddress, statusCode } = check
  const head = [
    ...(station === null ? [] : [plain(station)]),
    words.results[result],
    ...(responseTime === null ? [] : [duration(responseTime, language)]),
    ...(statusCode === null ? [] : [`HTTP ${statusCode}`]),
    ...(ipAddress === null ? [] : [ipAddress]),
  ]
  const measured = Object.entries(words.phases).flatMap(([name, text]) => {
    const ms = phases?.[name]
    return ms == null ? [] : [`${text} ${duration(ms, language)}`]
  })
  const error = errorShown(check.errorTypeId, language)
  const why = [error?.name, errorMessage]
    .filter((part) => part != null && part !== '')
    .map((part) => plain(String(part)))
  return [
    head.join(' · '),
    ...(measured.length === 0 ? [] : [`  ${measured.join(' · ')}`]),
    ...stepLines(check, language),
    ...domainLines(check, language),
    ...outlookLines(check, language, now),
    ...(why.length === 0 ? [] : [`  ${why.join(': ')}`]),
    ...assertionLines(check, language),
    ...(error === null ? [] : [`  ${words.advice} ${error.advice}`]),
    ...(error?.symbol === 'sensor_address_refused' && station === null ? [`  ${words.privateHint}`] : []),
  ]
}
