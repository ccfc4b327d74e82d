import type * as z from 'zod'
import {
  type FormElement,
  type SettingFormat,
  type SettingGrammar,
  withoutLimits,
} from '../domain/services/service-types.ts'
import type { Language } from '../wording/language.ts'

export type Words = Readonly<Record<Language, string>>

/** At most 40 characters for the label; the description is a sentence. */
export type SettingWords = Readonly<Record<Language, { readonly label: string; readonly description: string }>>

/** Symbols, the same in every language. */
export type Unit = 'ms' | 's' | 'B' | '%'

/** A setting of a service type. One name means the same in every type that has it. */
export interface Setting extends SettingFormat {
  readonly words: SettingWords
  /** The unit of its number. */
  readonly unit?: Unit
  /** The JSON schema of an item of a list. */
  readonly items?: Readonly<Record<string, unknown>>
}

interface Range {
  readonly standard: number | null
  readonly minimum: number
  readonly maximum: number
  readonly unit?: Unit
}

export function integer(id: string, words: SettingWords, { standard, ...range }: Range): Setting {
  const shape = { setting_id: id, default: standard, is_nullable: standard === null, ...range }
  return { ...withoutLimits, ...shape, type: 'integer', suggested_form_element: 'number', words }
}

export function flag(id: string, words: SettingWords, standard: boolean): Setting {
  const shape = { setting_id: id, default: standard } as const
  return { ...withoutLimits, ...shape, type: 'boolean', suggested_form_element: 'checkbox', words }
}

/** The first of the values is the default. */
export function choice(id: string, words: SettingWords, values: readonly [string, ...string[]]): Setting {
  const shape = { setting_id: id, default: values[0], enum: values } as const
  return { ...withoutLimits, ...shape, type: 'string', suggested_form_element: 'select', words }
}

interface TextLimits extends Partial<Omit<SettingFormat, 'setting_id' | 'type'>> {
  /** Characters. */
  readonly longest: number
  readonly grammar?: SettingGrammar
}

export function text(id: string, words: SettingWords, { longest, ...more }: TextLimits): Setting {
  const shape = { setting_id: id, default: null, is_nullable: true, maximum_length: longest }
  return { ...withoutLimits, ...shape, type: 'string', suggested_form_element: 'text', words, ...more }
}

interface ListParts {
  readonly schema: z.ZodType<readonly unknown[]>
  readonly element: FormElement
  readonly items: Readonly<Record<string, unknown>>
}

/** The dictionary calls it a string, because the specification knows no lists; its value is one. */
export function listOf(id: string, words: SettingWords, { schema, element, items }: ListParts): Setting {
  const limits = { ...withoutLimits, setting_id: id, default: '[]' }
  return { ...limits, type: 'string', suggested_form_element: element, words, list: schema, items }
}

export function regularExpression(id: string, words: SettingWords): Setting {
  const shape = { setting_id: id, default: null, is_nullable: true, maximum_length: 1000 }
  return { ...withoutLimits, ...shape, type: 'regex', suggested_form_element: 'text', words }
}
