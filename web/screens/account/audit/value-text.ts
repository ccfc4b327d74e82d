import { referredKinds } from './change.ts'
import type { Texts } from './sentence-words.ts'

/** The name of an object; undefined if nobody knows it. */
export type NameOf = (kind: string, id: number | string) => string | undefined

export interface Told {
  readonly words: Texts
  readonly format: { readonly moment: (iso: string) => string; readonly number: (value: number) => string }
  readonly nameOf: NameOf
}

const seconds = /^(interval|publish_after_seconds|expiration_duration)$/
const milliseconds = /^(timeout|.*_timeout|.*_ms)$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const longestText = 60
const mostElements = 4

/** A value in a sentence; null: it is too large for one. */
export function valueText(field: string, value: unknown, told: Told): string | null {
  const { words, format } = told
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return nameIn(field, value, told) ?? numberText(field, value, format)
  if (Array.isArray(value)) return listText(field, value, told)
  if (typeof value !== 'string' || value.length > longestText || value.includes('\n')) return null
  return moment.test(value) ? format.moment(value) : words.quoted(value)
}

function numberText(field: string, value: number, format: Told['format']): string {
  const unit = seconds.test(field) ? ' s' : milliseconds.test(field) ? ' ms' : ''
  return `${format.number(value)}${unit}`
}

function nameIn(field: string, id: number, { words, nameOf }: Told): string | undefined {
  const kind = referredKinds[field]
  const name = kind === undefined ? undefined : nameOf(kind, id)
  return name === undefined ? undefined : words.quoted(name)
}

function listText(field: string, values: readonly unknown[], told: Told): string | null {
  if (values.length === 0) return told.words.nothing
  if (values.length > mostElements) return null
  const texts = values.map((value) => valueText(field, value, told))
  return texts.includes(null) ? null : texts.join(', ')
}
