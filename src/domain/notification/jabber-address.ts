/** The form of a Jabber address without a resource (RFC 7622, 3.3). Both input and delivery use this check. */
const part =
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff@<>"&\'/:,;()]'

const longestJabberAddress = 1023

export const jabberPattern = new RegExp(`^${part}+@${part}+$`)

export function isJabberAddress(address: string): boolean {
  return address.length <= longestJabberAddress && jabberPattern.test(address)
}
