import type { z } from 'zod'
import { comparisons } from '../domain/compared-value.ts'
import { usualWarningDays, warningDaysSchema } from '../domain/expiry.ts'
import { type FormElement, type SettingFormat, type SettingGrammar, withoutLimits } from '../domain/service-types.ts'
import type { Language } from '../wording/language.ts'

export type Words = Readonly<Record<Language, string>>

/** A setting of a service type. One name means the same in every type that has it. */
export interface Setting extends SettingFormat {
  readonly words: Words
  /** The JSON schema of an item of a list. */
  readonly items?: Readonly<Record<string, unknown>>
}

export function integer(
  id: string,
  words: Words,
  {
    standard,
    minimum,
    maximum,
  }: { readonly standard: number | null; readonly minimum: number; readonly maximum: number },
): Setting {
  const shape = { setting_id: id, default: standard, is_nullable: standard === null, minimum, maximum }
  return { ...withoutLimits, ...shape, type: 'integer', suggested_form_element: 'number', words }
}

export function flag(id: string, words: Words, standard: boolean): Setting {
  const shape = { setting_id: id, default: standard } as const
  return { ...withoutLimits, ...shape, type: 'boolean', suggested_form_element: 'checkbox', words }
}

/** The first of the values is the default. */
export function choice(id: string, words: Words, values: readonly [string, ...string[]]): Setting {
  const shape = { setting_id: id, default: values[0], enum: values } as const
  return { ...withoutLimits, ...shape, type: 'string', suggested_form_element: 'select', words }
}

interface TextLimits extends Partial<Omit<SettingFormat, 'setting_id' | 'type'>> {
  /** Characters. */
  readonly longest: number
  readonly grammar?: SettingGrammar
}

export function text(id: string, words: Words, { longest, ...more }: TextLimits): Setting {
  const shape = { setting_id: id, default: null, is_nullable: true, maximum_length: longest }
  return { ...withoutLimits, ...shape, type: 'string', suggested_form_element: 'text', words, ...more }
}

interface ListParts {
  readonly schema: z.ZodType<readonly unknown[]>
  readonly element: FormElement
  readonly items: Readonly<Record<string, unknown>>
}

/** The dictionary calls it a string, because the specification knows no lists; its value is one. */
export function listOf(id: string, words: Words, { schema, element, items }: ListParts): Setting {
  const limits = { ...withoutLimits, setting_id: id, default: '[]' }
  return { ...limits, type: 'string', suggested_form_element: element, words, list: schema, items }
}

function regularExpression(id: string, words: Words): Setting {
  const shape = { setting_id: id, default: null, is_nullable: true, maximum_length: 1000 }
  return { ...withoutLimits, ...shape, type: 'regex', suggested_form_element: 'text', words }
}

const minute = 60_000
const noControlCharacters = '^[^\\u0000-\\u001f\\u007f]*$'

/** Milliseconds. */
export function timeout(standard: number, minimum = 100): Setting {
  return integer(
    'timeout',
    {
      en: 'Longest time of the whole check in milliseconds',
      pl: 'Najdłuższy czas całego sprawdzenia w milisekundach',
    },
    { standard, minimum, maximum: 2 * minute },
  )
}

/** Null: the one in the address, or the usual one. */
export function port(standard: number | null): Setting {
  return integer(
    'port',
    {
      en: 'Port; empty means the one in the address or the usual one',
      pl: 'Port; pusty oznacza podany w adresie albo zwykły',
    },
    { standard, minimum: 1, maximum: 65_535 },
  )
}

export const verifyCertificate = flag(
  'verify_certificate',
  { en: 'Check the certificate of the server', pl: 'Sprawdzaj certyfikat serwera' },
  true,
)

export const certificateDays = integer(
  'certificate_days',
  {
    en: 'Fails when the certificate is valid for fewer days than this',
    pl: 'Błąd, gdy certyfikat jest ważny krócej niż tyle dni',
  },
  { standard: null, minimum: 1, maximum: 3650 },
)

/** Warnings before the end of the certificate or the domain. */
export const warningDays: Setting = {
  ...listOf(
    'warning_days',
    {
      en: 'Degraded, with a warning, when the certificate or the domain ends within so many days; an empty list: no warning',
      pl: 'Pogorszenie z ostrzeżeniem, gdy certyfikat lub domena wygasa w ciągu tylu dni; pusta lista: bez ostrzeżeń',
    },
    { schema: warningDaysSchema, element: 'text', items: { type: 'integer', minimum: 1, maximum: 3650 } },
  ),
  default: usualWarningDays,
}

/** How a protocol begins TLS; the first is the default. */
export function tlsMode(
  ...modes: readonly ['off' | 'tls' | 'starttls', ...('off' | 'tls' | 'starttls')[]]
): readonly Setting[] {
  const words = {
    en: 'TLS: “tls” from the first byte, “starttls” after the protocol’s own command, “off” not at all',
    pl: 'TLS: „tls” od pierwszego bajtu, „starttls” po poleceniu samego protokołu, „off” wcale',
  }
  return [choice('tls', words, modes), verifyCertificate, certificateDays, warningDays]
}

export const maximumResponseTime = integer(
  'maximum_response_time',
  {
    en: 'Fails when the response takes more milliseconds than this',
    pl: 'Błąd, gdy odpowiedź trwa więcej milisekund',
  },
  { standard: null, minimum: 1, maximum: 2 * minute },
)

export const contentPatterns: readonly Setting[] = [
  regularExpression('content_regex', {
    en: 'Regular expression (RE2) that must be found in the content',
    pl: 'Wyrażenie regularne (RE2), które musi wystąpić w treści',
  }),
  regularExpression('negative_content_regex', {
    en: 'Regular expression (RE2) that must not be found in the content',
    pl: 'Wyrażenie regularne (RE2), które nie może wystąpić w treści',
  }),
]

export const expectedAnswer = regularExpression('expected_answer_regex', {
  en: 'Regular expression (RE2) that must be found in the answer',
  pl: 'Wyrażenie regularne (RE2), które musi wystąpić w odpowiedzi',
})

/** Bytes of a request, as `escapedBytes` reads them. */
export const textToSend = text(
  'text_to_send',
  {
    en: 'Text to send; \\r, \\n, \\t, \\\\ and \\xHH stand for single bytes',
    pl: 'Tekst do wysłania; \\r, \\n, \\t, \\\\ i \\xHH oznaczają pojedyncze bajty',
  },
  { longest: 1000, grammar: 'escaped_bytes' },
)

export const requestHeaders = text(
  'request_headers',
  {
    en: 'Headers of the request, one “Name: value” in a line',
    pl: 'Nagłówki zapytania, w każdym wierszu „Nazwa: wartość”',
  },
  { longest: 8192, suggested_form_element: 'textarea', grammar: 'request_headers' },
)

export const credentials: readonly Setting[] = [
  text(
    'username',
    { en: 'Username', pl: 'Nazwa użytkownika' },
    { longest: 255, pattern: '^[^:\\u0000-\\u001f\\u007f]*$' },
  ),
  text(
    'password',
    { en: 'Password; it cannot be read back', pl: 'Hasło; nie można go odczytać' },
    { longest: 255, pattern: noControlCharacters, isSecret: true, suggested_form_element: 'password' },
  ),
]

/** Settings that compare the server's value. */
export const comparedValue: readonly Setting[] = [
  choice('comparison', { en: 'How the value is compared', pl: 'Jak porównywać wartość' }, comparisons),
  text(
    'expected_value',
    {
      en: 'What the value is compared with; numbers as numbers, empty: not at all',
      pl: 'Z czym porównać wartość; liczby jako liczby, puste: wcale',
    },
    { longest: 255 },
  ),
]

const database = text(
  'database',
  { en: 'Name of the database', pl: 'Nazwa bazy danych' },
  { longest: 255, pattern: noControlCharacters },
)

/** Settings of servers that speak SQL. */
export const databaseQuery: readonly Setting[] = [
  database,
  text(
    'query',
    {
      en: 'Query; it runs in a read-only transaction that is rolled back, and the first column of its first row is compared',
      pl: 'Zapytanie; działa w wycofywanej transakcji tylko do odczytu, a porównuje się pierwszą kolumnę pierwszego wiersza',
    },
    { longest: 4000, default: 'SELECT 1', is_nullable: false, suggested_form_element: 'textarea' },
  ),
]

/** The settings of a lasting failure, which every type has. */
export const ofFailures: readonly Setting[] = [
  flag(
    'disable_breakdown_checks',
    {
      en: 'Do not speed up checks after a failure detection',
      pl: 'Nie przyspieszaj sprawdzeń po wykryciu awarii',
    },
    false,
  ),
]

/** Settings of every type. */
export const common: readonly Setting[] = [
  {
    ...integer(
      'error_tolerance',
      {
        en: 'Percentage of sensors that must report an error for it to count',
        pl: 'Odsetek sensorów, które muszą zgłosić błąd, aby się liczył',
      },
      { standard: 51, minimum: 1, maximum: 100 },
    ),
    suggested_form_element: 'percent',
  },
  flag(
    'sensors_failover',
    {
      en: 'Pick a replacement sensor when a sensor is down',
      pl: 'Wybierz zastępczy sensor, gdy sensor nie działa',
    },
    true,
  ),
  integer(
    'degraded_response_time',
    {
      en: 'Degraded when the response takes more milliseconds than this',
      pl: 'Pogorszenie, gdy odpowiedź trwa więcej milisekund',
    },
    { standard: null, minimum: 1, maximum: 2 * minute },
  ),
  ...ofFailures,
]
