import { type ErrorTypeSymbol, errorType, errorTypeById } from '../../domain/judging/error-types.ts'
import type { CheckResult } from '../protocol.ts'

/** If a clock is off by more milliseconds than this, it cannot judge a certificate's dates or a server's time. */
const tellingOffsetMs = 60_000

const judgedByClock: ReadonlySet<ErrorTypeSymbol> = new Set<ErrorTypeSymbol>([
  'certificate_expired',
  'certificate_not_yet_valid',
  'certificate_expires_soon',
  'server_clock_off',
])

/** An assertion about a certificate's days leaves a fact. */
function isByClock({ evidence }: CheckResult, symbol: ErrorTypeSymbol): boolean {
  return judgedByClock.has(symbol) || (symbol === 'assertion_failed' && evidence?.facts['failed_by_clock'] === true)
}

/** True if the certificate's dates are bad by the core's clock as well. */
function isSoByCore({ evidence }: CheckResult, symbol: ErrorTypeSymbol, coreAt: number): boolean {
  const dateOf = (key: string) => Date.parse(String(evidence?.facts[key] ?? ''))
  if (symbol === 'certificate_not_yet_valid') return dateOf('certificate_valid_from') > coreAt
  return symbol === 'certificate_expired' && dateOf('certificate_valid_to') < coreAt
}

/**
 * Turns a failure caused only by this machine's wrong clock into `unknown`, because it says nothing about the target.
 * @param wallOffsetMs by how much this machine's clock is ahead of the core's
 */
export function withoutClockFault(result: CheckResult, wallOffsetMs: number, coreAt: number): CheckResult {
  const symbol = result.errorTypeId === null ? undefined : errorTypeById(result.errorTypeId)?.symbol
  if (symbol === undefined || !isByClock(result, symbol) || Math.abs(wallOffsetMs) <= tellingOffsetMs) return result
  if (isSoByCore(result, symbol, coreAt)) return result
  return {
    ...result,
    result: 'unknown',
    responseTime: null,
    errorTypeId: errorType('sensor_clock_off').id,
    errorMessage: `${result.errorMessage}; the clock of this station is off by ${Math.round(wallOffsetMs / 1000)} s`,
  }
}
