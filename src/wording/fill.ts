import type { Language } from './language.ts'

export type FactValue = string | number | boolean | null | undefined
export type Facts = Readonly<Record<string, FactValue>>

/** Wordings of one thing, the most detailed first; the last one needs no facts. */
export type Alternatives = readonly string[]

const placeholder = /\{(\w+)\}/g

/** The first wording whose placeholders all have values. */
export function fill(alternatives: Alternatives, facts: Facts): string {
  const usable = alternatives.find((text) => [...text.matchAll(placeholder)].every(([, name]) => isKnown(facts, name)))
  return (usable ?? '').replace(placeholder, (_, name: string) => String(facts[name]))
}

function isKnown(facts: Facts, name: string | undefined): boolean {
  if (name === undefined || !Object.hasOwn(facts, name)) return false
  return facts[name] !== null && facts[name] !== undefined
}

/** Forms by plural category; `other` is the fallback for categories that a language does not have. */
export interface PluralForms {
  readonly one: string
  readonly few?: string
  readonly many?: string
  readonly other: string
}

const rules: Readonly<Record<Language, Intl.PluralRules>> = {
  en: new Intl.PluralRules('en'),
  pl: new Intl.PluralRules('pl'),
}

/** `2 sensory`, `5 sensorów`: the count and the form that goes with it. */
export function counted(language: Language, count: number, forms: PluralForms): string {
  const category = rules[language].select(count)
  const form = category === 'one' || category === 'few' || category === 'many' ? forms[category] : undefined
  return `${count} ${form ?? forms.other}`
}
