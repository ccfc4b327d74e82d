/** A sailmaker's on the Hel peninsula with a branch in Cornwall: its people and its monitored services. */

import { serviceTypeOf } from '../checks/index.ts'
import type { Assertion } from '../domain/services/assertion.ts'
import type { ServiceType } from '../domain/services/service-types.ts'
import { protocolServices } from './protocol-services.ts'
import { demoDomain, demoNameServers } from './targets/registry.ts'
import { loginScenario, scenarioSecrets } from './targets/scenario.ts'
import type { DemoService, Failing, GroupKey, TargetPorts } from './watched.ts'

/** Stations in the order of their local numbers, with their distance: milliseconds there and back. */
export const stationPlaces = [
  { city: 'Warszawa', country: 'Polska', latitude: 52.2297, longitude: 21.0122, distance: 0.9 },
  { city: 'Kraków', country: 'Polska', latitude: 50.0614, longitude: 19.9372, distance: 1.6 },
  { city: 'Gdańsk', country: 'Polska', latitude: 54.352, longitude: 18.6466, distance: 2.4 },
  { city: 'Berlin', country: 'Niemcy', latitude: 52.52, longitude: 13.405, distance: 4.2 },
] as const

export const groupNames: Readonly<Record<GroupKey, string>> = {
  shop: 'Sklep internetowy',
  office: 'Biuro i magazyn',
  uk: 'UK branch',
  staging: 'Środowisko testowe',
}

const loopback = '127.0.0.1'
const unavailable = {
  symbol: 'http_server_error',
  message: 'status 503 Service Unavailable',
  takes: 38,
  status: 503,
} as const satisfies Failing
const refused = (port: string) =>
  ({ symbol: 'connection_refused', message: `connect ECONNREFUSED ${port}`, takes: 1 }) as const satisfies Failing
const anyCertificate = { verify_certificate: false }

const web = (path: string) => (places: TargetPorts) => `${loopback}:${places.web}${path}`
const secure = (path: string) => (places: TargetPorts) => `${loopback}:${places.secure}${path}`

const inShop = { group: 'shop', intervalSeconds: 60, failing: unavailable } as const
const inOffice = { group: 'office', intervalSeconds: 60 } as const
const inUk = { group: 'uk', intervalSeconds: 60, failing: unavailable } as const

/** A query for the A record of www.zaglownia.example. */
const rawQuestion =
  '\\x12\\x34\\x01\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x03www\\x09zaglownia\\x07example\\x00\\x00\\x01\\x00\\x01'

/** The page says how the shop's parts are, beside its status. */
const ofOrders: readonly Assertion[] = [
  { source: 'json', path: '$.database', comparison: 'equals', value: 'ok', severity: 'failure' },
  { source: 'json', path: '$.queue', comparison: 'less', value: 500, severity: 'degraded' },
]

const plain: readonly DemoService[] = [
  {
    ...{ ...inShop, key: 'home', part: 'shop', typeId: 'http', server: 64, bytes: 807 },
    name: 'Sklep: strona główna',
    description: 'To, co klient widzi najpierw.',
    address: web('/'),
    settings: () => ({ content_regex: 'Żagle' }),
  },
  {
    ...{ ...inShop, key: 'basket', part: 'basket', typeId: 'http', server: 92, bytes: 506 },
    name: 'Sklep: koszyk',
    description: 'Liczy ceny i dostawę; najwolniejsza strona sklepu.',
    address: web('/koszyk'),
    // It always takes longer, so that a degraded service can be seen.
    settings: () => ({ degraded_response_time: 60 }),
    parents: ['home'],
    more: { notification_mode_id: 'after_1_minute_failure' },
  },
  {
    ...{ ...inShop, key: 'orders', part: 'orders', typeId: 'https', server: 41, bytes: 41 },
    name: 'API zamówień',
    description: 'Dla aplikacji magazynu i porównywarek cen.',
    address: secure('/orders/health'),
    settings: () => ({ ...anyCertificate, accepted_statuses: '200', assertions: JSON.stringify(ofOrders) }),
    more: { notification_condition_ids: ['failure', 'failure_continuation', 'recovery'] },
  },
  {
    ...{
      ...inShop,
      key: 'certificate',
      part: 'certificate',
      typeId: 'https',
      server: 38,
      bytes: 41,
      intervalSeconds: 3600,
    },
    name: 'Certyfikat sklepu',
    description: 'Ostrzega dwa tygodnie przed końcem.',
    address: secure('/orders/health'),
    settings: () => ({ ...anyCertificate, certificate_days: 14 }),
    failing: {
      ...{ symbol: 'certificate_expires_soon', takes: 4 },
      message: 'the certificate expires in 13 days, wanted 14',
    },
  },
  {
    ...{ ...inOffice, key: 'names', part: 'names', typeId: 'dns', server: 3, bytes: 76 },
    name: 'DNS zaglownia.example',
    description: '',
    intervalSeconds: 120,
    address: () => loopback,
    settings: ({ dns }) => ({
      port: dns,
      query_name: 'www.zaglownia.example',
      expected_answer_regex: '192\\.0\\.2\\.10',
    }),
    failing: { symbol: 'dns_server_failure', message: 'answered SERVFAIL, expected NOERROR', takes: 3 },
  },
  {
    ...{ ...inOffice, key: 'lookup', part: 'names', typeId: 'udp', server: 3, bytes: 76 },
    name: 'DNS na surowo (UDP)',
    description: '',
    intervalSeconds: 300,
    address: ({ dns }) => `${loopback}:${dns}`,
    settings: () => ({ text_to_send: rawQuestion, expected_answer_regex: '\\xC0\\x00\\x02\\x0A' }),
    failing: {
      symbol: 'content_missing',
      message: 'the answer does not match "\\\\xC0\\\\x00\\\\x02\\\\x0A"',
      takes: 3,
    },
  },
  {
    ...{ ...inOffice, key: 'mail', part: 'mail', typeId: 'smtp_helo', server: 12, bytes: 99 },
    name: 'Poczta przychodząca',
    parents: ['router'],
    description: 'Serwer w biurze w Jastarni.',
    intervalSeconds: 120,
    address: () => loopback,
    settings: ({ smtp }) => ({ port: smtp, helo_name: 'latarnik.example' }),
    failing: { symbol: 'smtp_refused', message: '421 4.3.2 Service shutting down', takes: 9 },
  },
  {
    ...{ ...inOffice, key: 'imap', part: 'imap', typeId: 'tcp_connect', server: 0, bytes: 0 },
    name: 'Skrzynki (IMAP)',
    parents: ['router'],
    description: '',
    intervalSeconds: 300,
    address: ({ imap }) => `${loopback}:${imap}`,
    failing: refused(loopback),
  },
  {
    ...{ ...inOffice, key: 'warehouse', part: 'warehouse', typeId: 'tcp_connect', server: 0, bytes: 0 },
    name: 'Baza magazynu',
    parents: ['router'],
    description: 'Prace w pierwszą noc miesiąca i na żądanie.',
    intervalSeconds: 300,
    address: ({ warehouse }) => `${loopback}:${warehouse}`,
    failing: refused(loopback),
  },
  {
    ...{ ...inOffice, key: 'backup', part: 'warehouse', typeId: 'heartbeat', server: 0, bytes: 0 },
    name: 'Kopia zapasowa magazynu',
    parents: ['warehouse'],
    description: 'Zgłasza się co noc; alarm, gdy przez tydzień nie było żadnej.',
    intervalSeconds: 3600,
    address: () => '',
    settings: () => ({ period: 604_800, grace: 86_400, max_run_time: 7200, disable_breakdown_checks: true }),
    failing: { symbol: 'heartbeat_failed', message: 'exit status 1', takes: 0 },
  },
  {
    ...{ ...inOffice, key: 'domain', part: 'domain', typeId: 'domain', server: 0, bytes: 0 },
    name: 'Domena zaglownia.example',
    description: 'Ostrzega trzy tygodnie, tydzień i dzień przed końcem rejestracji.',
    intervalSeconds: 3600,
    address: () => demoDomain,
    settings: () => ({ expected_name_servers: demoNameServers.join(', ') }),
    failing: { symbol: 'domain_on_hold', message: 'status client hold', takes: 0 },
  },
  {
    ...{ ...inOffice, key: 'router', part: 'router', typeId: 'ping', server: 0, bytes: 64 },
    name: 'Router w biurze',
    description: '',
    intervalSeconds: 120,
    address: () => loopback,
    failing: { symbol: 'ping_no_reply', message: 'no reply within 3000 ms', takes: 3000 },
  },
  {
    ...{ ...inUk, key: 'uk', part: 'uk', typeId: 'http', server: 78, bytes: 523 },
    name: 'UK website',
    description: 'Served from Falmouth.',
    intervalSeconds: 120,
    address: web('/uk/'),
    failing: { symbol: 'http_first_byte_timeout', message: 'not finished within 7000 ms', takes: 7000 },
    more: { notification_mode_id: 'after_5_minutes_failure' },
  },
  {
    ...{ ...inUk, key: 'payments', part: 'payments', typeId: 'https', server: 55, bytes: 41 },
    name: 'Payments API',
    description: 'Card payments of both shops. Settles at 40 minutes past the hour.',
    address: secure('/payments/health'),
    settings: () => anyCertificate,
    more: { notification_condition_ids: ['failure', 'recovery', 'silent_failure', 'pause'] },
  },
  {
    ...{ ...inUk, group: 'staging', key: 'staging', part: 'staging', typeId: 'http', server: 83, bytes: 496 },
    name: 'Sklep: wersja testowa',
    description: 'Nowa wersja co trzy godziny, dziesięć minut po pełnej.',
    intervalSeconds: 120,
    address: web('/staging/'),
    more: { notification_mode_id: 'off' },
  },
]

const inBrowser: readonly DemoService[] = [
  {
    ...{ ...inShop, key: 'page', part: 'shop', typeId: 'fullpage', server: 64, bytes: 3281, intervalSeconds: 300 },
    name: 'Sklep w przeglądarce',
    parents: ['home'],
    description: 'Z obrazkami i skryptami.',
    address: web('/'),
  },
  {
    ...{ ...inShop, key: 'mobile', part: 'shop', typeId: 'mobilepage', server: 64, bytes: 3281, intervalSeconds: 600 },
    name: 'Sklep w telefonie',
    parents: ['home'],
    description: '',
    address: web('/'),
    settings: () => ({ device: 'Pixel 7', network: '4g' }),
  },
  {
    ...{ ...inShop, key: 'login', part: 'panel', typeId: 'webappcheck', server: 70, bytes: 7100, intervalSeconds: 600 },
    name: 'Logowanie do panelu',
    description: 'Nagrane w przeglądarce: logowanie i lista zamówień.',
    address: web('/panel/login'),
    settings: ({ web: port }) => ({ scenario: loginScenario(`http://${loopback}:${port}`), secrets: scenarioSecrets }),
    failing: {
      ...{ symbol: 'scenario_element_missing', takes: 5400 },
      message: 'no element is found: aria/Zaloguj[role="button"]',
    },
  },
  {
    ...{ ...inOffice, key: 'intranet', part: 'intranet', typeId: 'fullpagehttps', server: 58, bytes: 4100 },
    ...{ intervalSeconds: 600, failing: unavailable },
    name: 'Intranet',
    description: 'Wstrzymany do wymiany certyfikatu na zaufany.',
    address: secure('/'),
  },
  {
    ...{ ...inOffice, key: 'planner', part: 'intranet', typeId: 'mobilepagehttps', server: 58, bytes: 4100 },
    ...{ intervalSeconds: 600, failing: unavailable },
    name: 'Plan dostaw w telefonie',
    description: 'Zastąpiony aplikacją.',
    address: secure('/'),
  },
]

const sixth = '[::1]'
const overIpv6: readonly DemoService[] = [...plain, ...protocolServices].flatMap((service) => {
  const typeId = `${service.typeId}_ipv6`
  if (plain.includes(service) && !['names', 'lookup', 'mail', 'imap', 'router', 'uk', 'payments'].includes(service.key))
    return []
  const name = `${service.name} (IPv6)`
  const address = (places: TargetPorts) =>
    service.address(places).replace(loopback, service.address(places) === loopback ? '::1' : sixth)
  return [
    {
      ...service,
      key: `${service.key}6`,
      typeId,
      name,
      address,
      intervalSeconds: Math.max(300, service.intervalSeconds),
    },
  ]
})

/** The type of one of the company's services. */
export function demoType(id: string): ServiceType {
  const type = serviceTypeOf(id)
  if (type === undefined) throw new Error(`There is no type ${id}.`)
  return type
}

/** All services that stations of these categories can check; `ping` only if it works here. */
export function demoServices(categories: readonly string[], canPing: boolean): readonly DemoService[] {
  const pages = categories.includes('webappcheck') ? inBrowser : []
  const sixthFamily = categories.includes('ipv6') ? overIpv6 : []
  return [...plain, ...protocolServices, ...pages, ...sixthFamily].filter(
    ({ typeId }) => canPing || !typeId.startsWith('ping'),
  )
}
