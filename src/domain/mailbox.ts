/**
 * The form of an e-mail address: one mailbox without comments, quotes, lists, control and invisible characters, so that it adds
 * neither a second recipient nor a header (RFC 5321, 4.1.2). Whatever takes an address and whatever sends to one asks here.
 */
const part =
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff@<>()[\\]\\\\,;:"]'
const form = `${part}{1,64}@${part}+`

const longestMailbox = 254

export const mailboxPattern = new RegExp(`^${form}$`)
/** The same, or nothing while none is known. */
export const optionalMailboxPattern = new RegExp(`^(${form})?$`)

export function isMailbox(address: string): boolean {
  return address.length <= longestMailbox && mailboxPattern.test(address)
}
