import type { CheckDeclaration } from '../declare.ts'
import {
  certificateDays,
  choice,
  contentPatterns,
  credentials,
  flag,
  integer,
  listOf,
  maximumResponseTime,
  port,
  requestHeaders,
  text,
  timeout,
  verifyCertificate,
  warningDays,
} from '../settings.ts'
import { assertionSchema } from './assertion-schema.ts'
import { assertionList } from './assertion-shape.ts'
import { loginProblems, logins } from './logins.ts'

export const http: CheckDeclaration = {
  check: 'http',
  family: 'web',
  keywords: ['website', 'url', 'api', 'rest', 'json', 'strona', 'witryna'],
  types: {
    http: { name: { en: 'HTTP', pl: 'HTTP' }, addressPrefix: 'http://', addressForm: 'web', hasIpv6: true },
    https: {
      name: { en: 'HTTPS', pl: 'HTTPS' },
      ...{ addressPrefix: 'https://', addressForm: 'web', hasIpv6: true },
      keywords: ['certificate', 'ssl', 'tls', 'expiry', 'certyfikat', 'wygaśnięcie'],
    },
  },
  contradictions: loginProblems,
  settings: [
    port(null),
    timeout(7000),
    choice('http_method', { en: 'HTTP method', pl: 'Metoda HTTP' }, [
      ...(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const),
    ]),
    text(
      'content',
      { en: 'Body of the request', pl: 'Treść zapytania' },
      { longest: 65_536, suggested_form_element: 'textarea' },
    ),
    text(
      'content_type',
      { en: 'Content-Type header of the request', pl: 'Nagłówek Content-Type zapytania' },
      { longest: 255, pattern: '^[\\x20-\\x7e]*$' },
    ),
    requestHeaders,
    ...credentials,
    ...logins,
    ...contentPatterns,
    listOf(
      'assertions',
      {
        en: 'Conditions that the response must meet',
        pl: 'Warunki, które musi spełnić odpowiedź',
      },
      { schema: assertionList, element: 'assertions', items: assertionSchema },
    ),
    text(
      'accepted_statuses',
      {
        en: 'HTTP status codes that count as working: codes and ranges separated by commas',
        pl: 'Kody statusu HTTP oznaczające działanie: kody i zakresy oddzielone przecinkami',
      },
      { longest: 255, default: '200-299', is_nullable: false, grammar: 'accepted_statuses' },
    ),
    flag('follow_redirects', { en: 'Follow redirects', pl: 'Podążaj za przekierowaniami' }, true),
    integer(
      'maximum_redirects',
      { en: 'Largest number of redirects', pl: 'Największa liczba przekierowań' },
      { standard: 10, minimum: 0, maximum: 20 },
    ),
    maximumResponseTime,
    verifyCertificate,
    certificateDays,
    warningDays,
  ],
}
