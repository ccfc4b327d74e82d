/** Rows `Label:  value` with the values under one another. */
export function aligned(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  return rows.map(([label, value]) => `${`${label}:`.padEnd(width)}${value}`)
}

/** `user:***@host`: a password in the address stays out of mailboxes. */
export function withoutPassword(address: string): string {
  return address.replace(/^([^/?#]*?):[^/?#]*@/, '$1:***@')
}
