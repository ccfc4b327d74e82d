import type { Contradictions, MonitoredAddressForm, SensorCategory } from '../domain/services/service-types.ts'
import type { Family } from './families.ts'
import type { Setting, Words } from './settings.ts'
import { common, ofFailures } from './shared-settings.ts'

interface Variant {
  readonly name: Words
  /** Left out of a service's `address`. */
  readonly addressPrefix: string
  readonly addressForm: MonitoredAddressForm
  /** Default: `default`. */
  readonly category?: SensorCategory
  /** Another type beside it, `…_ipv6`, is for addresses of IPv6 alone. */
  readonly hasIpv6?: true
  /** Beside those of the check. */
  readonly keywords?: readonly string[]
  /** Before those of the check. */
  readonly settings?: readonly Setting[]
}

/** One way of checking: its service types and their settings. */
export interface CheckDeclaration {
  /** The folder, and what a station does for the types: `check.ts` in it. */
  readonly check: string
  /** The types beside which they are offered. */
  readonly family: Family
  /** Words by which people look for them, in English and in Polish, beside their names. */
  readonly keywords: readonly string[]
  /** By the id of the type. */
  readonly types: Readonly<Record<string, Variant>>
  /** The settings of all types are added. */
  readonly settings: readonly Setting[]
  /** With a browser (answers §7). */
  readonly inBrowser?: true
  readonly contradictions?: Contradictions
  /** The target reports to the core, and no station checks it. */
  readonly reportsIn?: true
  /** The core checks it by itself, and no station does. */
  readonly inCore?: true
}

export interface DeclaredType extends Omit<Variant, 'settings'> {
  readonly id: string
  readonly check: string
  readonly family: Family
  readonly keywords: readonly string[]
  readonly settings: readonly Setting[]
  readonly inBrowser?: true
  readonly contradictions?: Contradictions
  readonly reportsIn?: true
  readonly inCore?: true
}

export function typesOf({
  check,
  family,
  keywords,
  types,
  settings,
  inBrowser,
  reportsIn,
  inCore,
  contradictions,
}: CheckDeclaration): readonly DeclaredType[] {
  const shared = reportsIn === true || inCore === true ? ofFailures : common
  return Object.entries(types).map(([id, variant]) => ({
    ...variant,
    ...{ id, check, family, settings: [...(variant.settings ?? []), ...settings, ...shared] },
    keywords: [...keywords, ...(variant.keywords ?? [])],
    ...(inBrowser === undefined ? {} : { inBrowser }),
    ...(contradictions === undefined ? {} : { contradictions }),
    ...(reportsIn === undefined ? {} : { reportsIn }),
    ...(inCore === undefined ? {} : { inCore }),
  }))
}
