import SaxParser from 'ltx/src/parsers/ltx.js'
import { faulty, type Input } from './input.ts'
import { type Row, rowOf } from './row.ts'
import { mostRows, type Tables, tooManyRows } from './tables.ts'

const root = 'mysqldump'

/**
 * Ends whatever the file leaves open: a text, a value in either quotes, a comment. At each character of an open part
 * the parser looks for its end through the rest of the file, so a file of megabytes would take minutes.
 */
const ending = '<!--"\'-->'

/** `mariadb-dump --xml`, which MySQL writes as well: every field with its name. */
export function isXmlDump(head: Buffer): boolean {
  return head.toString('utf8').includes(`<${root}`)
}

type Attributes = Readonly<Record<string, string | undefined>>

/** The rows of the named tables; what else the dump has is passed by, and so are rows beyond one too many. */
export async function readXmlDump(input: Input, names: readonly string[]): Promise<Tables> {
  const tables = new Map<string, Row[]>(names.map((name) => [name, []]))
  const place: { table: string; row: Record<string, string | null>; field: string | null; text: string } = {
    ...{ table: '', row: {}, field: null, text: '' },
  }
  let isWhole = false
  const parser = new SaxParser()
  parser.on('startElement', (name: string, attributes: Attributes) => {
    if (name === 'table_data') place.table = attributes['name'] ?? ''
    else if (name === 'row') place.row = {}
    else if (name === 'field' && attributes['xsi:nil'] !== 'true') {
      place.field = attributes['name'] ?? ''
      place.text = ''
    }
  })
  parser.on('text', (text: string) => {
    if (place.field !== null) place.text += text
  })
  parser.on('endElement', (name: string) => {
    if (name === 'field' && place.field !== null) {
      place.row[place.field] = place.text
      place.field = null
    } else if (name === 'row') {
      const rows = tables.get(place.table)
      if (rows !== undefined && rows.length <= mostRows) rows.push(rowOf(place.row))
    } else if (name === 'table_data') place.table = ''
    isWhole = name === root
  })
  try {
    parser.write((await input.text()) + ending)
  } catch (error) {
    throw faulty(input.path, `This is no XML: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isWhole) throw faulty(input.path, `The dump is cut: it does not end with </${root}>.`)
  for (const [name, rows] of tables) if (rows.length > mostRows) throw tooManyRows(input.path, name)
  return tables
}
