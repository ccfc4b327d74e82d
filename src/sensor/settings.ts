import { Failure } from './failure.ts'
import type { Settings } from './protocol.ts'

export function readInteger(settings: Settings, key: string, fallback: number): number {
  return readOptionalInteger(settings, key) ?? fallback
}

export function readOptionalInteger(settings: Settings, key: string): number | null {
  const value = settings[key] ?? null
  if (value === null) return null
  const number = typeof value === 'boolean' ? Number.NaN : Number(value)
  if (Number.isInteger(number)) return number
  throw new Failure('setting_invalid', `setting ${key} is not an integer`)
}

export function readBoolean(settings: Settings, key: string, fallback: boolean): boolean {
  const value = settings[key] ?? fallback
  return value === true || value === 'true'
}

/** Null for an absent or empty text. */
export function readText(settings: Settings, key: string): string | null {
  const value = settings[key] ?? null
  return value === null || value === '' ? null : String(value)
}
