/**
 * The form of an e-mail address: one mailbox without comments, quotes, lists, control or invisible characters. So an
 * address adds neither a second recipient nor a header (RFC 5321, 4.1.2). Both input and delivery use this check.
 */
const excluded =
  '\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff@<>()[\\]\\\\,;:"'
const part = `[^${excluded}]`
/** No provider gives such a beginning: spreadsheets take it for a formula, programs for an option or a pipe. */
const first = `[^${excluded}=|-]`
const form = `${first}${part}{0,63}@${part}+`

const longestMailbox = 254

export const mailboxPattern = new RegExp(`^${form}$`)
/** The same, or an empty text while no address is known. */
export const optionalMailboxPattern = new RegExp(`^(${form})?$`)

export function isMailbox(address: string): boolean {
  return address.length <= longestMailbox && mailboxPattern.test(address)
}

/** The same text for one mailbox in any spelling: most mail servers deliver `name+word` to the mailbox `name`. */
export function mailboxOf(address: string): string {
  return address.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@')
}
