import { address, type Variable, variable } from '../config/variable.ts'
import { integrations } from './index.ts'
import type { Integration } from './integration.ts'

/** The address of each integration's vendor, by the channel's id, without a slash at the end. */
export type VendorPlaces = ReadonlyMap<string, string>

const nameOf = ({ channel }: Integration) => `${channel.id.toUpperCase()}_URL`

/** A variable per vendor, so that a proxy or a test server can replace it. */
export const vendorVariables: Readonly<Record<string, Variable<string, string>>> = Object.fromEntries(
  integrations.flatMap((integration) => {
    const { vendor, channel } = integration
    if (vendor === null) return []
    return [
      [
        nameOf(integration),
        variable({
          defaultText: vendor,
          wrongText: channel.id,
          schema: address('http:', 'https:'),
          type: 'URL',
          meaning: `Address for messages through ${channel.words.en.name}; change it only for a proxy in between.`,
        }),
      ],
    ]
  }),
)

/** The addresses that the operator changed. `values`: all variables of the program. */
export function vendorPlaces(values: object): VendorPlaces {
  const given = new Map(Object.entries(values))
  return new Map(
    integrations.flatMap((integration) => {
      const place = String(given.get(nameOf(integration)) ?? '').replace(/\/+$/, '')
      return integration.vendor === null || place === '' || place === integration.vendor
        ? []
        : [[integration.channel.id, place] as const]
    }),
  )
}

/** The address at the operator's chosen place; null: it is not the vendor's. */
export function atChosenPlace({ channel, vendor }: Integration, url: string, places: VendorPlaces): string | null {
  const place = places.get(channel.id)
  return place === undefined || vendor === null ? null : moved(url, vendor, place)
}

/** The address in the vendor's own form. */
export function atVendor({ channel, vendor }: Integration, url: string, places: VendorPlaces): string {
  const place = places.get(channel.id)
  return place === undefined || vendor === null ? url : (moved(url, place, vendor) ?? url)
}

function moved(url: string, from: string, to: string): string | null {
  return url === from || url.startsWith(`${from}/`) ? `${to}${url.slice(from.length)}` : null
}
