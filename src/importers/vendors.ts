import type { ImportedAddress } from './address-check.ts'
import type { Draft } from './draft.ts'

type Fields = Readonly<Record<string, string | number | null>>

/** The address of a channel with fields. Fields without a value are left out; secrets without one become variables. */
export function vendorAddress(
  draft: Draft,
  name: string,
  channel: string,
  { plain = {}, secret = {} }: { readonly plain?: Fields; readonly secret?: Readonly<Record<string, string | null>> },
): ImportedAddress {
  const known = Object.entries(plain).filter(([, value]) => value !== null)
  const hidden = Object.entries(secret).map(([field, value]) => [
    field,
    draft.secret(`${name} ${channel} ${field}`, value),
  ])
  return { channel, settings: { ...Object.fromEntries(known), ...Object.fromEntries(hidden) } }
}

/** One address of the channel per mailbox or number of a list. */
export function plainAddresses(channel: string, list: string | null): readonly ImportedAddress[] {
  const each = (list ?? '').split(/[,;\s]+/).filter((one) => one !== '')
  return each.map((address) => ({ channel, address }))
}
