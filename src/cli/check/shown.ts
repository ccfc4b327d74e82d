import { type ErrorTypeSymbol, errorTypeById } from '../../domain/error-types.ts'
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
  readonly ipAddress: string | null
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

/** The check in lines: its result, its phases, and after a fault the advice. */
export function linesOf(check: ShownCheck, language: Language): readonly string[] {
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
    ...(why.length === 0 ? [] : [`  ${why.join(': ')}`]),
    ...(error === null ? [] : [`  ${words.advice} ${error.advice}`]),
    ...(error?.symbol === 'sensor_address_refused' && station === null ? [`  ${words.privateHint}`] : []),
  ]
}
