import { usualWarningDays, warningDaysSchema } from '../domain/expiry/expiry.ts'
import { comparisons } from '../domain/services/compared-value.ts'
import { choice, flag, integer, listOf, regularExpression, type Setting, type SettingWords, text } from './settings.ts'

/** Settings that several types have. */

const minute = 60_000
const noControlCharacters = '^[^\\u0000-\\u001f\\u007f]*$'

/** Milliseconds. */
export function timeout(standard: number, minimum = 100): Setting {
  return integer(
    'timeout',
    {
      en: { label: 'Timeout', description: 'The longest time of the whole check.' },
      pl: { label: 'Limit czasu', description: 'Najdłuższy czas całego sprawdzenia.' },
    },
    { standard, minimum, maximum: 2 * minute, unit: 'ms' },
  )
}

/** The usual port of types whose address has none. Null: the one in the address, or the usual one. */
export function port(standard: number | null): Setting {
  return integer('port', standard === null ? portBesideAddress : portAlone, {
    standard,
    minimum: 1,
    maximum: 65_535,
  })
}

const portBesideAddress: SettingWords = {
  en: { label: 'Port', description: 'Empty: the one in the address, or the usual one.' },
  pl: { label: 'Port', description: 'Puste: podany w adresie albo zwykły.' },
}

const portAlone: SettingWords = {
  en: { label: 'Port', description: 'It stands here, not in the address. Empty: the usual one.' },
  pl: { label: 'Port', description: 'Podaje się go tutaj, a nie w adresie. Puste: zwykły.' },
}

export const verifyCertificate = flag(
  'verify_certificate',
  {
    en: {
      label: 'Verify the certificate',
      description: 'The chain, the names and the dates of the server’s certificate must be good.',
    },
    pl: {
      label: 'Weryfikacja certyfikatu',
      description: 'Łańcuch, nazwy i daty certyfikatu serwera muszą być prawidłowe.',
    },
  },
  true,
)

export const certificateDays = integer(
  'certificate_days',
  {
    en: {
      label: 'Fail days before the end',
      description: 'The check fails when the certificate is valid for fewer days. Empty: only once it has expired.',
    },
    pl: {
      label: 'Błąd na dni przed końcem',
      description: 'Błąd, gdy certyfikat jest ważny krócej niż tyle dni. Puste: dopiero gdy wygaśnie.',
    },
  },
  { standard: null, minimum: 1, maximum: 3650 },
)

/** Warnings before the end of the certificate or the domain. */
export const warningDays: Setting = {
  ...listOf(
    'warning_days',
    {
      en: {
        label: 'Warn days before the end',
        description:
          'Numbers of days: the service is degraded, with a warning at each, when the certificate or the domain ends within so many days. An empty list: no warning.',
      },
      pl: {
        label: 'Ostrzeżenia na dni przed końcem',
        description:
          'Liczby dni: gdy certyfikat lub domena wygasa w ciągu tylu dni, stan usługi jest pogorszony, z ostrzeżeniem przy każdej. Pusta lista: bez ostrzeżeń.',
      },
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
    en: {
      label: 'TLS',
      description:
        'How TLS begins: “tls” from the first byte, “starttls” after the protocol’s own command, “off” not at all.',
    },
    pl: {
      label: 'TLS',
      description:
        'Jak zaczyna się TLS: „tls” od pierwszego bajtu, „starttls” po poleceniu samego protokołu, „off” wcale.',
    },
  }
  return [choice('tls', words, modes), verifyCertificate, certificateDays, warningDays]
}

export const maximumResponseTime = integer(
  'maximum_response_time',
  {
    en: {
      label: 'Longest response time',
      description: 'The check fails when the response takes longer. Empty: any time within the timeout.',
    },
    pl: {
      label: 'Najdłuższy czas odpowiedzi',
      description: 'Błąd, gdy odpowiedź trwa dłużej. Puste: dowolnie w granicach limitu czasu.',
    },
  },
  { standard: null, minimum: 1, maximum: 2 * minute, unit: 'ms' },
)

export const contentPatterns: readonly Setting[] = [
  regularExpression('content_regex', {
    en: { label: 'Content must match', description: 'A regular expression (RE2) that must be found in the content.' },
    pl: { label: 'Treść musi pasować', description: 'Wyrażenie regularne (RE2), które musi wystąpić w treści.' },
  }),
  regularExpression('negative_content_regex', {
    en: {
      label: 'Content must not match',
      description: 'A regular expression (RE2) that must not be found in the content.',
    },
    pl: {
      label: 'Treść nie może pasować',
      description: 'Wyrażenie regularne (RE2), które nie może wystąpić w treści.',
    },
  }),
]

export const expectedAnswer = regularExpression('expected_answer_regex', {
  en: { label: 'Answer must match', description: 'A regular expression (RE2) that must be found in the answer.' },
  pl: { label: 'Odpowiedź musi pasować', description: 'Wyrażenie regularne (RE2), które musi wystąpić w odpowiedzi.' },
})

/** Bytes of a request, as `escapedBytes` reads them. */
export const textToSend = text(
  'text_to_send',
  {
    en: {
      label: 'Text to send',
      description: 'Sent once connected; \\r, \\n, \\t, \\\\ and \\xHH stand for single bytes.',
    },
    pl: {
      label: 'Tekst do wysłania',
      description: 'Wysyłany po połączeniu; \\r, \\n, \\t, \\\\ i \\xHH oznaczają pojedyncze bajty.',
    },
  },
  { longest: 1000, grammar: 'escaped_bytes' },
)

export const requestHeaders = text(
  'request_headers',
  {
    en: { label: 'Request headers', description: 'One “Name: value” in a line.' },
    pl: { label: 'Nagłówki zapytania', description: 'W każdym wierszu „Nazwa: wartość”.' },
  },
  { longest: 8192, suggested_form_element: 'textarea', grammar: 'request_headers' },
)

export const credentials: readonly Setting[] = [
  text(
    'username',
    {
      en: { label: 'Username', description: 'The user that logs in, where a login is wanted.' },
      pl: { label: 'Nazwa użytkownika', description: 'Użytkownik, który się loguje, jeśli logowanie jest potrzebne.' },
    },
    { longest: 255, pattern: '^[^:\\u0000-\\u001f\\u007f]*$' },
  ),
  text(
    'password',
    {
      en: { label: 'Password', description: 'The password of that user. It cannot be read back.' },
      pl: { label: 'Hasło', description: 'Hasło tego użytkownika. Nie można go odczytać.' },
    },
    { longest: 255, pattern: noControlCharacters, isSecret: true, suggested_form_element: 'password' },
  ),
]

/** Settings that compare the server's value. */
export const comparedValue: readonly Setting[] = [
  choice(
    'comparison',
    {
      en: { label: 'Comparison', description: 'How the value must compare with the expected one.' },
      pl: { label: 'Porównanie', description: 'Jak wartość ma się mieć do oczekiwanej.' },
    },
    comparisons,
  ),
  text(
    'expected_value',
    {
      en: {
        label: 'Expected value',
        description: 'Compared with the value that came, numbers as numbers. Empty: any value is good.',
      },
      pl: {
        label: 'Oczekiwana wartość',
        description: 'Porównywana z otrzymaną wartością, liczby jako liczby. Puste: każda wartość jest dobra.',
      },
    },
    { longest: 255 },
  ),
]

const database = text(
  'database',
  {
    en: { label: 'Database', description: 'The name of the database. Empty: the one that the server chooses.' },
    pl: { label: 'Baza danych', description: 'Nazwa bazy danych. Puste: ta, którą wybierze serwer.' },
  },
  { longest: 255, pattern: noControlCharacters },
)

/** Settings of servers that speak SQL. */
export const databaseQuery: readonly Setting[] = [
  database,
  text(
    'query',
    {
      en: {
        label: 'Query',
        description:
          'It runs in a read-only transaction that is rolled back. The first column of its first row is compared.',
      },
      pl: {
        label: 'Zapytanie',
        description:
          'Działa w wycofywanej transakcji tylko do odczytu. Porównuje się pierwszą kolumnę pierwszego wiersza.',
      },
    },
    { longest: 4000, default: 'SELECT 1', is_nullable: false, suggested_form_element: 'textarea' },
  ),
]

/** The settings of a lasting failure, which every type has. */
export const ofFailures: readonly Setting[] = [
  flag(
    'disable_breakdown_checks',
    {
      en: {
        label: 'Keep the interval during a failure',
        description: 'Checks are not sped up after a failure was found.',
      },
      pl: { label: 'Zwykły odstęp w czasie awarii', description: 'Po wykryciu awarii sprawdzenia nie przyspieszają.' },
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
        en: {
          label: 'Stations that must report an error',
          description: 'It is a failure when at least this part of the stations that answered report an error.',
        },
        pl: {
          label: 'Stacje, które muszą zgłosić błąd',
          description: 'Jest to awaria, gdy błąd zgłasza co najmniej taka część stacji, które odpowiedziały.',
        },
      },
      { standard: 51, minimum: 1, maximum: 100, unit: '%' },
    ),
    suggested_form_element: 'percent',
  },
  flag(
    'sensors_failover',
    {
      en: {
        label: 'Replace stations that are down',
        description: 'Another station checks in place of one that is down.',
      },
      pl: { label: 'Zastępowanie niedziałających stacji', description: 'Gdy stacja nie działa, sprawdza inna.' },
    },
    true,
  ),
  integer(
    'degraded_response_time',
    {
      en: {
        label: 'Degraded when slower than',
        description: 'The service is degraded when the response takes longer. Empty: never.',
      },
      pl: {
        label: 'Pogorszenie, gdy wolniej niż',
        description: 'Stan usługi jest pogorszony, gdy odpowiedź trwa dłużej. Puste: nigdy.',
      },
    },
    { standard: null, minimum: 1, maximum: 2 * minute, unit: 'ms' },
  ),
  ...ofFailures,
]
