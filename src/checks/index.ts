import { type SensorCategory, type ServiceType, sensorCategories } from '../domain/services/service-types.ts'
import type { Language } from '../wording/language.ts'
import { type CheckDeclaration, type DeclaredType, typesOf } from './declare.ts'
import { dns } from './dns/type.ts'
import { domain } from './domain/type.ts'
import { type Family, familyIds } from './families.ts'
import { ftp } from './ftp/type.ts'
import { grpc } from './grpc/type.ts'
import { heartbeat } from './heartbeat/type.ts'
import { http } from './http/type.ts'
import { imap } from './imap/type.ts'
import { mongodb } from './mongodb/type.ts'
import { mqtt } from './mqtt/type.ts'
import { mysql } from './mysql/type.ts'
import { ntp } from './ntp/type.ts'
import { page } from './page/type.ts'
import { ping } from './ping/type.ts'
import { pop3 } from './pop3/type.ts'
import { postgresql } from './postgresql/type.ts'
import { prometheus } from './prometheus/type.ts'
import { rabbitmq } from './rabbitmq/type.ts'
import { redis } from './redis/type.ts'
import { scenario } from './scenario/type.ts'
import type { Setting } from './settings.ts'
import { warningDays } from './shared-settings.ts'
import { smtpHelo } from './smtp-helo/type.ts'
import { snmp } from './snmp/type.ts'
import { ssh } from './ssh/type.ts'
import { tcpConnect } from './tcp-connect/type.ts'
import { tls } from './tls/type.ts'
import { udp } from './udp/type.ts'
import { websocket } from './websocket/type.ts'

/** Everything that can be checked. A new one is its folder, its name here, and its function in `functions.ts`. */
const declared: readonly CheckDeclaration[] = [
  http,
  page,
  dns,
  ping,
  smtpHelo,
  tcpConnect,
  udp,
  tls,
  websocket,
  redis,
  postgresql,
  mysql,
  mqtt,
  imap,
  pop3,
  ftp,
  ssh,
  ntp,
  snmp,
  grpc,
  prometheus,
  rabbitmq,
  mongodb,
  scenario,
  heartbeat,
  domain,
]

/** A service type with its words. */
export interface OfferedType extends ServiceType {
  readonly settings: readonly Setting[]
  readonly name: Readonly<Record<Language, string>>
  readonly family: Family
  readonly keywords: readonly string[]
}

function offered({ hasIpv6: _, category = 'default', ...type }: DeclaredType): OfferedType {
  return { ...type, base: type.id, category }
}

function overIpv6(type: DeclaredType): OfferedType {
  const { en, pl } = type.name
  return { ...offered(type), id: `${type.id}_ipv6`, category: 'ipv6', name: { en: `${en}, IPv6`, pl: `${pl}, IPv6` } }
}

export { families, familyIds } from './families.ts'

const bases = declared
  .flatMap(typesOf)
  .toSorted((one, other) => familyIds.indexOf(one.family) - familyIds.indexOf(other.family))
const types = [...bases.map(offered), ...bases.filter(({ hasIpv6 }) => hasIpv6 === true).map(overIpv6)]

/** All service types, in the order of the categories and then of the families. */
export const serviceTypes: readonly OfferedType[] = sensorCategories.flatMap((category) =>
  types.filter((type) => type.category === category),
)

const byId: ReadonlyMap<string, OfferedType> = new Map(serviceTypes.map((type) => [type.id, type]))

/** Undefined for an id that no type has. */
export function serviceTypeOf(id: string): OfferedType | undefined {
  return byId.get(id)
}

/** Whether services of the type are checked with a browser. */
export function needsBrowser(typeId: string): boolean {
  return serviceTypeOf(typeId)?.inBrowser === true
}

/** Whether services of the type report to the core, without any sensor. */
export function reportsIn(typeId: string): boolean {
  return serviceTypeOf(typeId)?.reportsIn === true
}

/** Whether the core checks services of the type by itself. */
export function isInCore(typeId: string): boolean {
  return serviceTypeOf(typeId)?.inCore === true
}

/** Whether the domain of the host is watched: where a certificate's end is, the end of the name itself counts, too. */
export function watchesDomain({ settings, inCore }: OfferedType): boolean {
  return inCore !== true && settings.some(({ setting_id }) => setting_id === warningDays.setting_id)
}

/** Whether sensors check services of the type. */
export function needsSensors(typeId: string): boolean {
  return !reportsIn(typeId) && !isInCore(typeId)
}

/** The ids of the types that sensors check. */
export const checkedTypeIds: readonly string[] = serviceTypes.map(({ id }) => id).filter(needsSensors)

/** The categories of sensors that the types need, each once. */
export function categoriesOf(typeIds: readonly string[]): readonly SensorCategory[] {
  return [...new Set(typeIds.flatMap((id) => (needsSensors(id) ? (serviceTypeOf(id)?.category ?? []) : [])))]
}
