/** A long table in parts that the API takes, each with the titles of the table. */

export interface CsvPart {
  readonly csv: string
  readonly rows: number
  /** Add it to a line of the part to get the line of the file. */
  readonly lineOffset: number
}

interface CsvRecord {
  readonly start: number
  readonly end: number
  /** The line of its first character, from 1. */
  readonly line: number
}

/** The records that are not empty; a line break between quotation marks is part of a cell. */
function recordsOf(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = []
  let [start, line, lines, isQuoted] = [0, 1, 1, false]
  const close = (end: number) => {
    if (text.slice(start, end).trim() !== '') records.push({ start, end, line })
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    if (character !== '\n') continue
    lines += 1
    if (isQuoted) continue
    close(at + 1)
    ;[start, line] = [at + 1, lines]
  }
  close(text.length)
  return records
}

/** A list of addresses has no titles. */
function hasTitles(first: string): boolean {
  return !first.includes('@')
}

export function csvParts(text: string, rowsEach: number): readonly CsvPart[] {
  const records = recordsOf(text)
  const [first] = records
  if (first === undefined) return []
  const head = text.slice(first.start, first.end)
  const titles = hasTitles(head) ? `${head.trimEnd()}\n` : ''
  const titleLines = titles.split('\n').length - 1
  const rows = titles === '' ? records : records.slice(1)
  if (rows.length === 0) return [{ csv: text, rows: 0, lineOffset: 0 }]
  const parts: CsvPart[] = []
  for (let at = 0; at < rows.length; at += rowsEach) {
    const own = rows.slice(at, at + rowsEach)
    const [begin, last] = [own[0], own.at(-1)]
    if (begin === undefined || last === undefined) break
    const csv = titles + text.slice(begin.start, last.end)
    parts.push({ csv, rows: own.length, lineOffset: begin.line - 1 - titleLines })
  }
  return parts
}
