import type * as z from 'zod'
import type { Problem } from '../input/problem.ts'

/** The kinds of services and their settings (specification: Service type, Extended setting format; answers §7). */

export type SettingValue = string | number | boolean | null
export type SettingType = 'string' | 'integer' | 'number' | 'boolean' | 'regex'
export type FormElement = 'text' | 'textarea' | 'password' | 'number' | 'percent' | 'checkbox' | 'select' | 'assertions'
/** The capability that a sensor needs for a service of the type. */
export const sensorCategories = ['default', 'ipv6', 'mobile', 'webappcheck'] as const
export type SensorCategory = (typeof sensorCategories)[number]

/**
 * web: host[:port][/path?query], user:password@ allowed. host: a name or an address alone. host_port: both are
 * required. domain: a name in a domain that can be registered. none: it is empty.
 */
export type MonitoredAddressForm = 'web' | 'host' | 'host_port' | 'domain' | 'none'

/** Texts with more rules than a length and a pattern. */
export type SettingGrammar =
  | 'web_address'
  | 'escaped_bytes'
  | 'accepted_statuses'
  | 'request_headers'
  | 'domain_name'
  | 'scenario'
  | 'secrets'
  | 'certificate_pem'
  | 'cron'
  | 'time_zone'

/** A setting without its service type and its description, which is translated. */
export interface SettingFormat {
  readonly setting_id: string
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
  /** A service cannot exist without it; it has no default. */
  readonly isRequired: boolean
  readonly grammar: SettingGrammar | null
  /** Its value is a list of this shape; the stored value, which stations get, is its JSON. */
  readonly list?: z.ZodType<readonly unknown[]>
  /** The message for a text that does not match `pattern`; without it the catalogue's text is used. */
  readonly expected?: Problem['expected']
}

/** Problems between settings; each alone has been checked before. `pointer` leads to the settings. */
export type Contradictions = (settings: Readonly<Record<string, SettingValue>>, pointer: string) => readonly Problem[]

/** A service type; `checks/` declares them. */
export interface ServiceType {
  readonly id: string
  /** The base type of an IPv6-only twin, or the type itself. */
  readonly base: string
  /** The folder of `checks/` with the station's check. */
  readonly check: string
  /** Removed from a service's `address`. */
  readonly addressPrefix: string
  readonly addressForm: MonitoredAddressForm
  readonly settings: readonly SettingFormat[]
  readonly category: SensorCategory
  readonly contradictions?: Contradictions
  /** Checked with a browser (answers §7). */
  readonly inBrowser?: true
  /** The target reports to the core, and no sensor checks it. */
  readonly reportsIn?: true
  /** The core checks it by itself, and no sensor does. */
  readonly inCore?: true
}

/** A setting without limits. */
export const withoutLimits = {
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
