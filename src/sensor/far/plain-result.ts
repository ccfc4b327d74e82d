import { isObject } from '../../domain/input/json.ts'
import { largest, longest } from '../bounds.ts'
import { readReasons } from '../read-degraded.ts'
import { readWireExpiry, type WireResult } from './result-schema.ts'

type Phases = NonNullable<WireResult['phases']>

/**
 * Reads the common kind of result, without texts, steps and evidence, at a tenth of the schema's cost. Null: the schema
 * must read it. A property test shows that both read alike.
 */
export function readPlainResult(given: unknown): WireResult | null {
  if (!isObject(given)) return null
  const { id, result, started_at, response_time, data_size, error_type_id, error_message, phases, steps, evidence } =
    given
  const { degraded, expiry } = given
  if (isPresent(error_message) || isPresent(steps) || isPresent(evidence)) return null
  if (typeof id !== 'string' || id.length === 0 || id.length > longest.id) return null
  if (result !== 'ok' && result !== 'error' && result !== 'unknown') return null
  if (!isWithin(started_at, largest.moment)) return null
  if (!isCountOrNull(response_time, largest.responseMs) || !isCountOrNull(data_size, largest.integer)) return null
  if (!isCountOrNull(error_type_id, largest.integer)) return null
  const known = isPresent(phases) ? readPhases(phases) : null
  if (known === null && isPresent(phases)) return null
  // Written out, because spreading objects would cost more than everything else here.
  return {
    id,
    result,
    started_at,
    response_time: response_time ?? null,
    data_size: data_size ?? null,
    error_type_id: error_type_id ?? null,
    error_message: null,
    phases: known,
    steps: null,
    evidence: null,
    degraded: readReasons(degraded),
    expiry: readWireExpiry(expiry),
  }
}

/** The JSON of a result. The common kind, as above, skips the general serialiser. */
export function resultText(result: WireResult): string {
  const { id, result: outcome, started_at, response_time, data_size, error_type_id, phases } = result
  if (result.error_message !== null || result.steps !== null || result.evidence !== null) return JSON.stringify(result)
  const numbers = `"started_at":${numberText(started_at)},"response_time":${numberText(response_time)},"data_size":${numberText(data_size)}`
  const error = `"error_type_id":${numberText(error_type_id)},"error_message":null`
  const parts = phases === null ? 'null' : phasesText(phases)
  const reasons = result.degraded.length === 0 ? '' : `,"degraded":${JSON.stringify(result.degraded)}`
  const expiry = result.expiry === null ? '' : `,"expiry":${JSON.stringify(result.expiry)}`
  return `{"id":${JSON.stringify(id)},"result":"${outcome}",${numbers},${error},"phases":${parts},"steps":null,"evidence":null${reasons}${expiry}}`
}

function phasesText({ dns, connect, tls, sent, first_byte, transfer }: Phases): string {
  const before = `"dns":${numberText(dns)},"connect":${numberText(connect)},"tls":${numberText(tls)},"sent":${numberText(sent)}`
  return `{${before},"first_byte":${numberText(first_byte)},"transfer":${numberText(transfer)}}`
}

/** As in JSON: a value that is not a finite number becomes null. */
function numberText(given: number | null): string {
  return given !== null && Number.isFinite(given) ? `${given}` : 'null'
}

function readPhases(given: unknown): Phases | null {
  if (!isObject(given)) return null
  const { dns, connect, tls, sent, first_byte, transfer } = given
  if (!isPhaseOrNull(dns) || !isPhaseOrNull(connect) || !isPhaseOrNull(tls)) return null
  if (!isPhaseOrNull(sent) || !isPhaseOrNull(first_byte) || !isPhaseOrNull(transfer)) return null
  return {
    dns: dns ?? null,
    connect: connect ?? null,
    tls: tls ?? null,
    sent: sent ?? null,
    first_byte: first_byte ?? null,
    transfer: transfer ?? null,
  }
}

function isPhaseOrNull(value: unknown): value is number | null | undefined {
  return !isPresent(value) || isWithin(value, largest.phaseMs)
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isWithin(value: unknown, greatest: number): value is number {
  return typeof value === 'number' && value >= 0 && value <= greatest
}

function isCountOrNull(value: unknown, greatest: number): value is number | null | undefined {
  return !isPresent(value) || (Number.isInteger(value) && isWithin(value, greatest))
}
