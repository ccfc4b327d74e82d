import type { SettingFormat, SettingGrammar, SettingValue } from '../domain/services/service-types.ts'
import { withoutLimits } from '../domain/services/service-types.ts'
import type { Language } from '../wording/language.ts'

/** The kinds of form fields. */
export type FieldType = 'text' | 'url' | 'secret' | 'integer' | 'boolean' | 'choice'

interface FieldText {
  readonly label: string
  readonly description: string
}

export type FieldWords = Readonly<Record<Language, FieldText>>

type Format = Omit<SettingFormat, 'setting_id'>

/** One field of a channel's address. `Value` is its type once the address is complete. */
export interface Field<Value extends SettingValue = SettingValue> {
  readonly type: FieldType
  readonly words: FieldWords
  readonly format: Format
  /** Only for the compiler. */
  readonly value?: Value
}

export type FieldDeclarations = Readonly<Record<string, Field>>

export type FieldValues<Fields extends FieldDeclarations> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never
}

const anyText: Format = {
  ...withoutLimits,
  ...{ type: 'string', default: null, is_nullable: true, suggested_form_element: 'text' },
}

interface TextLimits {
  /** ECMAScript regular expression over the whole text. */
  readonly pattern?: string
  readonly expected?: Readonly<Record<Language, string>>
  /** Characters; default 200. */
  readonly longest?: number
}

function textFormat({ pattern, expected, longest = 200 }: TextLimits): Format {
  const limits = { pattern: pattern ?? null, maximum_length: longest }
  return { ...anyText, ...limits, ...(expected === undefined ? {} : { expected }) }
}

/** A required text. */
export function text(words: FieldWords, limits: TextLimits = {}): Field<string> {
  return { type: 'text', words, format: { ...textFormat(limits), isRequired: true } }
}

/** An optional whole number. */
export function optionalInteger(
  words: FieldWords,
  limits: { readonly minimum: number; readonly maximum: number },
): Field<number | null> {
  return {
    type: 'integer',
    words,
    format: { ...anyText, ...limits, type: 'integer', suggested_form_element: 'number' },
  }
}

const longestUrl = 2048

/** A required http or https address. */
export function url(words: FieldWords): Field<string> {
  const format = { ...textFormat({ longest: longestUrl }), isRequired: true, grammar: 'web_address' } as const
  return { type: 'url', words, format }
}

/** An http or https address; `standard` by default. */
export function urlOr(standard: string, words: FieldWords): Field<string> {
  const format = textFormat({ longest: longestUrl })
  return { type: 'url', words, format: { ...format, default: standard, is_nullable: false, grammar: 'web_address' } }
}

/** A required telephone number. */
export function telephone(words: FieldWords): Field<string> {
  const expected = {
    en: 'Expected a number in international form, such as +48600100200.',
    pl: 'Oczekiwany jest numer w postaci międzynarodowej, na przykład +48600100200.',
  }
  return text(words, { pattern: '^\\+[1-9]\\d{6,14}$', expected })
}

/** A text that is never shown again. */
export function secret(words: FieldWords, limits: TextLimits = {}): Field<string> {
  return { type: 'secret', words, format: { ...secretFormat(limits), isRequired: true } }
}

/** An optional secret. */
export function optionalSecret(words: FieldWords, limits: TextLimits = {}): Field<string | null> {
  return { type: 'secret', words, format: secretFormat(limits) }
}

/** A secret http or https address: anybody who knows it may write there. */
export function secretUrl(words: FieldWords, limits: TextLimits = {}): Field<string> {
  const format = secretFormat({ longest: longestUrl, ...limits })
  return { type: 'secret', words, format: { ...format, isRequired: true, grammar: 'web_address' } }
}

/** An optional secret http or https address. */
export function optionalSecretUrl(words: FieldWords, limits: TextLimits = {}): Field<string | null> {
  const format = secretFormat({ longest: longestUrl, ...limits })
  return { type: 'secret', words, format: { ...format, grammar: 'web_address' } }
}

/** An optional text of one line. */
export function optionalText(words: FieldWords, limits: TextLimits = {}): Field<string | null> {
  return { type: 'text', words, format: textFormat(limits) }
}

/** Most secrets travel in a header, which allows no other characters. */
const headerText: TextLimits = {
  pattern: '^[\\x20-\\x7e]+$',
  expected: {
    en: 'Expected letters without accents, digits and signs, in one line.',
    pl: 'Oczekiwane są litery bez znaków diakrytycznych, cyfry i znaki, w jednym wierszu.',
  },
}

function secretFormat(limits: TextLimits): Format {
  return { ...textFormat({ ...headerText, ...limits }), isSecret: true, suggested_form_element: 'password' }
}

/** An optional text of several lines. */
export function optionalLines(
  words: FieldWords,
  {
    isSecret = false,
    grammar = null,
    longest,
  }: { longest: number; grammar?: SettingGrammar | null; isSecret?: boolean },
): Field<string | null> {
  const format = { ...textFormat({ longest }), grammar, isSecret, suggested_form_element: 'textarea' } as const
  return { type: isSecret ? 'secret' : 'text', words, format }
}

/** One of the given texts. */
export function choice<const Choice extends string>(
  words: FieldWords,
  { choices, standard }: { readonly choices: readonly Choice[]; readonly standard: NoInfer<Choice> },
): Field<Choice> {
  const limits = { default: standard, is_nullable: false, enum: choices, suggested_form_element: 'select' } as const
  return { type: 'choice', words, format: { ...anyText, ...limits } }
}
