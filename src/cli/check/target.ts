import { isIP } from 'node:net'
import { type OfferedType, reportsIn, serviceTypeOf, serviceTypes } from '../../checks/index.ts'
import { meantHint } from '../../domain/input/nearest-name.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { mergeSettings, type StoredSettings } from '../../domain/services/extended-settings.ts'
import { addressProblems } from '../../domain/services/monitored-address.ts'
import { CannotStart } from '../../program/cannot-start.ts'
import type { Facts } from '../../wording/fill.ts'
import type { Language } from '../../wording/language.ts'
import { problemText } from '../../wording/texts.ts'

/** A definition that is checked without a service. */
export interface CheckTarget {
  readonly type: OfferedType
  readonly address: string
  readonly settings: StoredSettings
}

/** Schemes that are no prefix of a type. */
const schemes: Readonly<Record<string, string>> = {
  tcp: 'tcp_connect',
  udp: 'udp',
  tls: 'tls',
  ping: 'ping',
  dns: 'dns',
  domain: 'domain',
  postgres: 'postgresql',
  mariadb: 'mysql',
}

/** Types that several ones share a prefix with, and that an address alone does not mean. */
function typeOfPrefix(scheme: string): string | undefined {
  return serviceTypes.find(({ addressPrefix }) => addressPrefix === `${scheme}://`)?.id
}

/** The type that an address means: by its scheme, its port or its form. */
export function typeMeant(text: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined) {
    const typeId = schemes[scheme] ?? typeOfPrefix(scheme)
    if (typeId === undefined) throw new CannotStart(`Nothing is known that begins with ${scheme}://. Choose by --type.`)
    return typeId
  }
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) return isIP(host) === 6 ? 'ping_ipv6' : 'ping'
  if (/^(\[[^\]]+\]|[^:/]+):\d+$/.test(text)) return text.startsWith('[') ? 'tcp_connect_ipv6' : 'tcp_connect'
  return 'https'
}

function withoutScheme(text: string, type: OfferedType): string {
  const isPrefix = type.addressPrefix !== '' && text.toLowerCase().startsWith(type.addressPrefix)
  // A scenario names its own addresses, so that of the service has no scheme.
  const isScenario = type.check === 'scenario'
  if (isScenario) return text.replace(/^https?:\/\//i, '')
  return isPrefix ? text : text.replace(/^(tcp|udp|tls|ping|dns|domain|postgres|mariadb):\/\//i, '')
}

/** Types whose address has no port have it as a setting: `redis://cache.example.com:6380`. */
function portOf(text: string, type: OfferedType): { readonly text: string; readonly settings: StoredSettings } {
  const [, before = '', port] = /^(.*[^:]):(\d+)$/.exec(text) ?? []
  const takesPort = type.addressForm === 'host' && type.settings.some(({ setting_id }) => setting_id === 'port')
  return port === undefined || !takesPort ? { text, settings: {} } : { text: before, settings: { port: Number(port) } }
}

/** Settings of the command line as their formats have them. A text in the place of a number is refused later. */
function typed(texts: Readonly<Record<string, string>>, type: OfferedType): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const format = type.settings.find(({ setting_id }) => setting_id === name)
      if (format?.type === 'boolean' && /^(true|false)$/.test(text)) return [name, text === 'true']
      const isNumber = format?.type === 'integer' || format?.type === 'number'
      return [name, isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text]
    }),
  )
}

function told(problems: readonly Problem[], language: Language): string {
  return problems
    .map(({ error, field, facts }) => `${field ?? ''}: ${problemText(error, language, (facts ?? {}) as Facts)}`)
    .join('\n')
}

interface Given {
  readonly address: string
  /** Undefined: the one that the address means. */
  readonly typeId: string | undefined
  readonly settings: object
  /** Further settings, as the command line has them. */
  readonly texts: Readonly<Record<string, string>>
}

/** A setting under the name of the option that gave it. */
function asGiven(problem: Problem, texts: Given['texts']): Problem {
  const name = problem.field?.replace(/^--settings\./, '') ?? ''
  return Object.hasOwn(texts, name) ? { ...problem, field: `--set ${name}` } : problem
}

/** The definition, held to what the API holds services to. */
export function targetOf(given: Given, language: Language): CheckTarget {
  const text = given.address.trim()
  const typeId = given.typeId ?? typeMeant(text)
  const type = serviceTypeOf(typeId)
  if (type === undefined) {
    const typeIds = serviceTypes.map(({ id }) => id)
    throw new CannotStart(`There is no type ${typeId}.${meantHint(typeId, typeIds)} Types: ${typeIds.join(', ')}.`)
  }
  if (reportsIn(typeId)) {
    throw new CannotStart(
      `Nothing can be checked: services of type ${typeId} report by themselves (docs/heartbeats.md).`,
    )
  }
  const { text: address, settings: fromAddress } = portOf(withoutScheme(text, type), type)
  const read = addressProblems(type, address, '--address')
  const merged = mergeSettings(
    type,
    {},
    { ...fromAddress, ...given.settings, ...typed(given.texts, type) },
    '--settings',
  )
  const problems = [...read.problems, ...merged.problems.map((problem) => asGiven(problem, given.texts))]
  if (problems.length > 0) throw new CannotStart(told(problems, language))
  return { type, address: read.address, settings: merged.settings }
}
