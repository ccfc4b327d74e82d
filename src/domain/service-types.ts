/** The kinds of services and their settings (specification: Service type, Extended setting format; answers §7). */

export type SettingValue = string | number | boolean | null
export type SettingType = 'string' | 'integer' | 'number' | 'boolean' | 'regex'
export type FormElement = 'text' | 'textarea' | 'password' | 'number' | 'percent' | 'checkbox' | 'select'
/** What a sensor must be able to do for a service of the type. */
export const sensorCategories = ['default', 'ipv6', 'mobile', 'webappcheck'] as const
export type SensorCategory = (typeof sensorCategories)[number]

/** web: host[:port][/path?query], user:password@ allowed. host: a name or an address alone. host_port: both required. */
export type AddressForm = 'web' | 'host' | 'host_port'

/** Text that must hold to more than a length and a pattern. */
export type SettingGrammar = 'accepted_statuses' | 'request_headers' | 'domain_name' | 'scenario' | 'secrets'

/** One name means the same in every type that has it. */
export type SettingId =
  | 'accepted_statuses'
  | 'bytes_to_send'
  | 'certificate_days'
  | 'content'
  | 'content_regex'
  | 'content_type'
  | 'device'
  | 'disable_breakdown_checks'
  | 'error_tolerance'
  | 'expected_answer_regex'
  | 'expected_rcode'
  | 'fail_on_resource_errors'
  | 'follow_redirects'
  | 'helo_name'
  | 'http_method'
  | 'maximum_page_size'
  | 'maximum_redirects'
  | 'maximum_response_time'
  | 'negative_content_regex'
  | 'network'
  | 'password'
  | 'port'
  | 'query_name'
  | 'query_type'
  | 'recursion_desired'
  | 'reply_timeout'
  | 'request_headers'
  | 'scenario'
  | 'secrets'
  | 'sensors_failover'
  | 'start_tls'
  | 'timeout'
  | 'transport'
  | 'username'
  | 'verify_certificate'

/** Everything but the service type and the description, which is translated. */
export interface SettingFormat {
  readonly setting_id: SettingId
  readonly type: SettingType
  readonly default: SettingValue
  readonly is_nullable: boolean
  readonly enum: readonly (string | number)[] | null
  readonly minimum: number | null
  readonly maximum: number | null
  readonly minimum_length: number | null
  readonly maximum_length: number | null
  /** ECMAScript regular expression over the whole text. */
  readonly pattern: string | null
  readonly suggested_form_element: FormElement
  /** Write-only: shown as null. */
  readonly isSecret: boolean
  /** A service cannot be without it; there is no default. */
  readonly isRequired: boolean
  readonly grammar: SettingGrammar | null
}

/** What a station does for a service: `sensor/check.ts` has a function for each. Types differ in more than that. */
export type CheckKind = 'dns' | 'http' | 'page' | 'ping' | 'scenario' | 'smtp_helo' | 'tcp_connect'

interface Kind {
  readonly check: CheckKind
  /** Left out of a service's `address`. */
  readonly addressPrefix: string
  readonly addressForm: AddressForm
  readonly settings: readonly SettingFormat[]
  /** `default` when left out. */
  readonly category?: SensorCategory
  /** There is a type beside it, `…_ipv6`, for addresses of IPv6 alone. */
  readonly hasIpv6?: true
  /** Checked with a browser (answers §7). */
  readonly inBrowser?: true
}

/** A kind of service as it is offered. */
export interface ServiceType extends Omit<Kind, 'hasIpv6'> {
  readonly id: ServiceTypeId
  readonly category: SensorCategory
  /** The type that it is for IPv6 alone, or itself. */
  readonly base: BaseTypeId
}

const plain = {
  is_nullable: false,
  enum: null,
  minimum: null,
  maximum: null,
  minimum_length: null,
  maximum_length: null,
  pattern: null,
  isSecret: false,
  isRequired: false,
  grammar: null,
} as const

function integer(id: SettingId, standard: number | null, minimum: number, maximum: number): SettingFormat {
  const isNullable = standard === null
  const shape = { setting_id: id, default: standard, is_nullable: isNullable, minimum, maximum }
  return { ...plain, ...shape, type: 'integer', suggested_form_element: 'number' }
}

function flag(id: SettingId, standard: boolean): SettingFormat {
  return { ...plain, setting_id: id, type: 'boolean', default: standard, suggested_form_element: 'checkbox' }
}

function choice(id: SettingId, standard: string, values: readonly string[]): SettingFormat {
  return { ...plain, setting_id: id, type: 'string', default: standard, enum: values, suggested_form_element: 'select' }
}

function text(id: SettingId, maximumLength: number, more: Partial<SettingFormat> = {}): SettingFormat {
  const shape = { setting_id: id, default: null, is_nullable: true, maximum_length: maximumLength }
  return { ...plain, ...shape, type: 'string', suggested_form_element: 'text', ...more }
}

function regex(id: SettingId): SettingFormat {
  const shape = { setting_id: id, default: null, is_nullable: true, maximum_length: 1000 }
  return { ...plain, ...shape, type: 'regex', suggested_form_element: 'text' }
}

const minute = 60_000
const port = integer('port', null, 1, 65_535)
const noControlCharacters = '^[^\\u0000-\\u001f\\u007f]*$'
const verifyCertificate = flag('verify_certificate', true)
const contentRegexes = [regex('content_regex'), regex('negative_content_regex')]
const requestHeaders = text('request_headers', 8192, { suggested_form_element: 'textarea', grammar: 'request_headers' })

const credentials = [
  text('username', 255, { pattern: '^[^:\\u0000-\\u001f\\u007f]*$' }),
  text('password', 255, { pattern: noControlCharacters, isSecret: true, suggested_form_element: 'password' }),
]

const common: readonly SettingFormat[] = [
  { ...integer('error_tolerance', 51, 1, 100), suggested_form_element: 'percent' },
  flag('sensors_failover', true),
  flag('disable_breakdown_checks', false),
]

const webSettings: readonly SettingFormat[] = [
  port,
  integer('timeout', 7000, 100, 2 * minute),
  choice('http_method', 'GET', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  text('content', 65_536, { suggested_form_element: 'textarea' }),
  text('content_type', 255, { pattern: '^[\\x20-\\x7e]*$' }),
  requestHeaders,
  ...credentials,
  ...contentRegexes,
  text('accepted_statuses', 255, { default: '200-299', is_nullable: false, grammar: 'accepted_statuses' }),
  flag('follow_redirects', true),
  integer('maximum_redirects', 10, 0, 20),
  integer('maximum_response_time', null, 1, 2 * minute),
  verifyCertificate,
  integer('certificate_days', null, 1, 3650),
  ...common,
]

const pageSettings: readonly SettingFormat[] = [
  integer('timeout', 30_000, 1000, 2 * minute),
  ...contentRegexes,
  integer('maximum_page_size', null, 1, 1_000_000_000),
  integer('maximum_response_time', null, 1, 2 * minute),
  flag('fail_on_resource_errors', false),
  requestHeaders,
  ...credentials,
  ...common,
]

const mobileSettings: readonly SettingFormat[] = [
  choice('device', 'Pixel 7', ['Pixel 7', 'Pixel 5', 'Galaxy S9+', 'iPhone 14', 'iPhone 13', 'iPhone SE']),
  choice('network', '4g', ['none', '4g', '3g']),
  ...pageSettings,
]

const dnsSettings: readonly SettingFormat[] = [
  text('query_name', 253, { is_nullable: false, minimum_length: 1, isRequired: true, grammar: 'domain_name' }),
  choice('query_type', 'A', ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'PTR', 'CAA']),
  regex('expected_answer_regex'),
  choice('expected_rcode', 'NOERROR', ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']),
  choice('transport', 'udp', ['udp', 'tcp']),
  { ...port, default: 53, is_nullable: false },
  integer('timeout', 5000, 100, 2 * minute),
  flag('recursion_desired', true),
  ...common,
]

const pingSettings: readonly SettingFormat[] = [
  integer('bytes_to_send', 64, 1, 65_535),
  integer('reply_timeout', 3000, 1, 2 * minute),
  ...common,
]

const smtpSettings: readonly SettingFormat[] = [
  { ...port, default: 25, is_nullable: false },
  text('helo_name', 255, { pattern: '^[A-Za-z0-9._:\\[\\]-]+$' }),
  flag('start_tls', false),
  integer('timeout', 10_000, 100, 2 * minute),
  verifyCertificate,
  ...common,
]

const tcpSettings: readonly SettingFormat[] = [integer('timeout', 5000, 100, 2 * minute), ...common]

const scenarioSettings: readonly SettingFormat[] = [
  text('scenario', 200_000, {
    is_nullable: false,
    isRequired: true,
    suggested_form_element: 'textarea',
    grammar: 'scenario',
  }),
  text('secrets', 8192, { isSecret: true, suggested_form_element: 'textarea', grammar: 'secrets' }),
  integer('timeout', minute, 1000, 2 * minute),
  ...common,
]

const plainWeb = { check: 'http', addressPrefix: 'http://', addressForm: 'web', settings: webSettings } as const
const secureWeb = { ...plainWeb, addressPrefix: 'https://' } as const
const page = { check: 'page', settings: pageSettings, inBrowser: true } as const
const mobilePage = { ...page, settings: mobileSettings, category: 'mobile' } as const

/** All types but those for IPv6 alone. */
const kinds = {
  http: { ...plainWeb, hasIpv6: true },
  https: { ...secureWeb, hasIpv6: true },
  fullpage: { ...plainWeb, ...page },
  fullpagehttps: { ...secureWeb, ...page },
  dns: { check: 'dns', addressPrefix: '', addressForm: 'host', settings: dnsSettings, hasIpv6: true },
  ping: { check: 'ping', addressPrefix: '', addressForm: 'host', settings: pingSettings, hasIpv6: true },
  smtp_helo: {
    check: 'smtp_helo',
    addressPrefix: 'smtp://',
    addressForm: 'host',
    settings: smtpSettings,
    hasIpv6: true,
  },
  tcp_connect: {
    check: 'tcp_connect',
    addressPrefix: '',
    addressForm: 'host_port',
    settings: tcpSettings,
    hasIpv6: true,
  },
  mobilepage: { ...plainWeb, ...mobilePage },
  mobilepagehttps: { ...secureWeb, ...mobilePage },
  webappcheck: {
    ...secureWeb,
    check: 'scenario',
    settings: scenarioSettings,
    category: 'webappcheck',
    inBrowser: true,
  },
} satisfies Readonly<Record<string, Kind>>

export type BaseTypeId = keyof typeof kinds
type DualTypeId = { [Id in BaseTypeId]: (typeof kinds)[Id] extends { hasIpv6: true } ? Id : never }[BaseTypeId]
export type ServiceTypeId = BaseTypeId | `${DualTypeId}_ipv6`

function isDual(id: BaseTypeId): id is DualTypeId {
  return 'hasIpv6' in kinds[id]
}

function typeOf(id: ServiceTypeId, base: BaseTypeId): ServiceType {
  const { hasIpv6, category = 'default', ...kind }: Kind = kinds[base]
  return { ...kind, id, base, category: id === base ? category : 'ipv6' }
}

const baseIds = Object.keys(kinds) as BaseTypeId[]
const types = [
  ...baseIds.map((id) => typeOf(id, id)),
  ...baseIds.filter(isDual).map((base) => typeOf(`${base}_ipv6`, base)),
]

/** All types, in the order of the categories. */
export const serviceTypes: readonly ServiceType[] = sensorCategories.flatMap((category) =>
  types.filter((type) => type.category === category),
)

const byId: ReadonlyMap<string, ServiceType> = new Map(serviceTypes.map((type) => [type.id, type]))

/** Undefined for an id that no type has. */
export function serviceTypeOf(id: string): ServiceType | undefined {
  return byId.get(id)
}

/** Whether services of the type are checked with a browser. */
export function needsBrowser(typeId: string): boolean {
  return serviceTypeOf(typeId)?.inBrowser === true
}
