import { address, type Variable, variable } from '../config/variable.ts'
import { integrations } from './index.ts'
import type { Integration } from './integration.ts'

/** The address of each vendor by the channel's id, further ones with their names (`slack_api`); no slash at the end. */
export type VendorUrls = ReadonlyMap<string, string>

interface Vendor {
  /** The channel's id; with the further name behind it. */
  readonly id: string
  readonly url: string
}

function vendorsOf({ channel, vendor, furtherVendors }: Integration): readonly Vendor[] {
  if (vendor === null) return []
  const further = Object.entries(furtherVendors).map(([name, url]) => ({ id: `${channel.id}_${name}`, url }))
  return [{ id: channel.id, url: vendor }, ...further]
}

const nameOf = (id: string) => `${id.toUpperCase()}_URL`

/** A variable per vendor, so that a proxy or a test server can replace it. */
export const vendorVariables: Readonly<Record<string, Variable<string, string>>> = Object.fromEntries(
  integrations.flatMap((integration) =>
    vendorsOf(integration).map(({ id, url }) => [
      nameOf(id),
      variable({
        defaultText: url,
        wrongText: id,
        schema: address('http:', 'https:'),
        type: 'URL',
        meaning: `Address for messages through ${integration.channel.words.en.name}; change it only for a proxy in between.`,
      }),
    ]),
  ),
)

/** The addresses that the operator changed. `values`: all variables of the program. */
export function vendorUrls(values: object): VendorUrls {
  const given = new Map(Object.entries(values))
  return new Map(
    integrations.flatMap(vendorsOf).flatMap(({ id, url }) => {
      const chosen = String(given.get(nameOf(id)) ?? '').replace(/\/+$/, '')
      return chosen === '' || chosen === url ? [] : [[id, chosen] as const]
    }),
  )
}

/** The address below the operator's chosen one; null: it is not the vendor's. */
export function atChosenUrl(integration: Integration, url: string, vendorUrls: VendorUrls): string | null {
  return firstMoved(integration, vendorUrls, (vendor, chosen) => moved(url, vendor, chosen))
}

/** The address in the vendor's own form. */
export function atVendor(integration: Integration, url: string, vendorUrls: VendorUrls): string {
  return firstMoved(integration, vendorUrls, (vendor, chosen) => moved(url, chosen, vendor)) ?? url
}

function firstMoved(
  integration: Integration,
  vendorUrls: VendorUrls,
  move: (vendor: string, chosen: string) => string | null,
): string | null {
  for (const { id, url } of vendorsOf(integration)) {
    const chosen = vendorUrls.get(id)
    const found = chosen === undefined ? null : move(url, chosen)
    if (found !== null) return found
  }
  return null
}

function moved(url: string, from: string, to: string): string | null {
  return url === from || url.startsWith(`${from}/`) ? `${to}${url.slice(from.length)}` : null
}
