import type { CheckDeclaration } from '../declare.ts'
import { choice, flag, integer, listOf, text } from '../settings.ts'
import {
  certificateDays,
  contentPatterns,
  credentials,
  maximumResponseTime,
  port,
  requestHeaders,
  timeout,
  verifyCertificate,
  warningDays,
} from '../shared-settings.ts'
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
    choice(
      'http_method',
      {
        en: { label: 'HTTP method', description: 'The method of the request.' },
        pl: { label: 'Metoda HTTP', description: 'Metoda zapytania.' },
      },
      [...(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)],
    ),
    text(
      'content',
      {
        en: { label: 'Request body', description: 'Sent with the request. Empty: none.' },
        pl: { label: 'Treść zapytania', description: 'Wysyłana z zapytaniem. Puste: brak.' },
      },
      { longest: 65_536, suggested_form_element: 'textarea' },
    ),
    text(
      'content_type',
      {
        en: { label: 'Content type', description: 'The Content-Type header of the request.' },
        pl: { label: 'Typ treści', description: 'Nagłówek Content-Type zapytania.' },
      },
      { longest: 255, pattern: '^[\\x20-\\x7e]*$' },
    ),
    requestHeaders,
    ...credentials,
    ...logins,
    ...contentPatterns,
    listOf(
      'assertions',
      {
        en: { label: 'Assertions', description: 'Conditions that the response must meet.' },
        pl: { label: 'Warunki', description: 'Warunki, które musi spełnić odpowiedź.' },
      },
      { schema: assertionList, element: 'assertions', items: assertionSchema },
    ),
    text(
      'accepted_statuses',
      {
        en: {
          label: 'Accepted status codes',
          description: 'HTTP status codes that count as working: codes and ranges, separated by commas.',
        },
        pl: {
          label: 'Akceptowane kody statusu',
          description: 'Kody statusu HTTP oznaczające działanie: kody i zakresy, rozdzielone przecinkami.',
        },
      },
      { longest: 255, default: '200-299', is_nullable: false, grammar: 'accepted_statuses' },
    ),
    flag(
      'follow_redirects',
      {
        en: {
          label: 'Follow redirects',
          description: 'A redirect leads to the next request. Otherwise it is the response.',
        },
        pl: {
          label: 'Podążanie za przekierowaniami',
          description: 'Przekierowanie prowadzi do następnego zapytania. W przeciwnym razie samo jest odpowiedzią.',
        },
      },
      true,
    ),
    integer(
      'maximum_redirects',
      {
        en: {
          label: 'Most redirects',
          description: 'The check fails when there are more redirects one after another.',
        },
        pl: { label: 'Najwięcej przekierowań', description: 'Błąd, gdy kolejnych przekierowań jest więcej.' },
      },
      { standard: 10, minimum: 0, maximum: 20 },
    ),
    maximumResponseTime,
    verifyCertificate,
    certificateDays,
    warningDays,
  ],
}
