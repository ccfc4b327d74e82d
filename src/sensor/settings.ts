import { Failure } from '../outgoing/failure.ts'
import type { Settings } from './protocol.ts'

/**
 * Readers for the settings of a job. Each setting has its effective value; the defaults are in
 * `domain/services/service-types.ts` alone.
 */
export function readInteger(settings: Settings, key: string): number {
  const number = readOptionalInteger(settings, key)
  if (number === null) throw missing(key)
  return number
}

export function readOptionalInteger(settings: Settings, key: string): number | null {
  const value = settings[key] ?? null
  if (value === null) return null
  const number = typeof value === 'boolean' ? Number.NaN : Number(value)
  if (Number.isInteger(number)) return number
  throw new Failure('setting_invalid', `setting ${key} is not an integer`)
}

export function readBoolean(settings: Settings, key: string): boolean {
  const value = settings[key] ?? null
  if (value === null) throw missing(key)
  return value === true || value === 'true'
}

/** An absent or empty text is a fault of the job. */
export function readText(settings: Settings, key: string): string {
  const text = readOptionalText(settings, key)
  if (text === null) throw missing(key)
  return text
}

/** Null for an absent or empty text. */
export function readOptionalText(settings: Settings, key: string): string | null {
  const value = settings[key] ?? null
  return value === null || value === '' ? null : String(value)
}

function missing(key: string): Failure {
  return new Failure('setting_invalid', `setting ${key} is missing`)
}
