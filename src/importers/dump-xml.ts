import SaxParser from 'ltx/src/parsers/ltx.js'
import { faulty, type Input } from './input.ts'
import { type Row, rowOf } from './row.ts'

const root = 'mysqldump'

/** `mariadb-dump --xml`, which MySQL writes as well: every field with its name. */
export function isXmlDump(head: Buffer): boolean {
  return head.toString('utf8').includes(`<${root}`)
}

type Attributes = Readonly<Record<string, string | undefined>>

/** The rows of each table of the dump. */
export async function readXmlDump(input: Input): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = new Map<string, Row[]>()
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
    } else if (name === 'row' && place.table !== '') {
      const rows = tables.get(place.table) ?? []
      rows.push(rowOf(place.row))
      tables.set(place.table, rows)
    } else if (name === 'table_data') place.table = ''
    isWhole = name === root
  })
  try {
    parser.write(await input.text())
  } catch (error) {
    throw faulty(input.path, `This is no XML: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isWhole) throw faulty(input.path, `The dump is cut: it does not end with </${root}>.`)
  return tables
}
