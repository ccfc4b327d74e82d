import type { Change } from './change.ts'

const columns = [
  ...['id', 'time', 'account_id', 'account', 'api_key_id', 'ip_address', 'source', 'operation', 'resource'],
  ...['object_id', 'before', 'after'],
] as const

/** Spreadsheets run a cell that begins like a formula. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** A file that is written page by page: its beginning, each page, and its end. */
export interface Written {
  readonly begin: string
  page(changes: readonly Change[], isFirst: boolean): string
  readonly end: string
}

/** Records as a table with a header; before and after are JSON. The mark tells spreadsheets that it is UTF-8. */
export const csv: Written = {
  begin: `\uFEFF${columns.join(',')}\r\n`,
  page: (changes) =>
    changes
      .map((change) => {
        const cells = columns.map((name) => cell(name === 'account' ? change.account?.username : change[name]))
        return `${cells.join(',')}\r\n`
      })
      .join(''),
  end: '',
}

export const json: Written = {
  begin: '[',
  page: (changes, isFirst) =>
    changes.map((change, place) => `${isFirst && place === 0 ? '' : ','}\n${JSON.stringify(change)}`).join(''),
  end: '\n]\n',
}
