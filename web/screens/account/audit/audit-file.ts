import type { Change } from './change.ts'

const columns = [
  ...['id', 'time', 'account_id', 'account', 'api_key_id', 'ip_address', 'source', 'operation', 'resource'],
  ...['object_id', 'before', 'after'],
] as const

/** Spreadsheets run a cell that begins like a formula. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** Records as a table with a header; before and after are JSON. */
export function csvOf(changes: readonly Change[]): string {
  const line = (change: Change) =>
    columns.map((name) => cell(name === 'account' ? change.account?.username : change[name])).join(',')
  // The mark tells spreadsheets that it is UTF-8.
  return `\uFEFF${columns.join(',')}\r\n${changes.map((change) => `${line(change)}\r\n`).join('')}`
}

export function jsonOf(changes: readonly Change[]): string {
  return `${JSON.stringify(changes, null, 2)}\n`
}
