import { parse } from 'csv-parse/sync'
import { faulty, type Input, readValue } from './input.ts'
import { append, type Row, rowOf } from './row.ts'

/** The files of UptimeRobot: answers of its API, versions 2 and 3, and tables of monitors. */

export interface Export {
  readonly monitors: Row[]
  readonly contacts: Row[]
  readonly windows: Row[]
  readonly groups: Row[]
  readonly pages: Row[]
}

/** The first member that is there: versions name the same differently. */
export function text(row: Row, ...names: readonly string[]): string | null {
  return names.map((name) => row.text(name)).find((value) => value !== null) ?? null
}

export function number(row: Row, ...names: readonly string[]): number | null {
  return names.map((name) => row.number(name)).find((value) => value !== null) ?? null
}

export function rows(row: Row, ...names: readonly string[]): readonly Row[] {
  return names.map((name) => row.rows(name)).find((list) => list.length > 0) ?? []
}

/** One element of `data` of version 3, by its members. */
function sort(element: Row, into: Export): void {
  if (element.has('urlKey') || element.has('monitorsCount')) into.pages.push(element)
  else if (/^(once|daily|weekly|monthly)$/.test(element.text('interval') ?? '')) into.windows.push(element)
  else if (element.has('interval')) into.monitors.push(element)
  else if (element.has('type')) into.contacts.push(element)
  else if (element.has('name')) into.groups.push(element)
}

function gather(page: Row, into: Export): void {
  append(into.monitors, page.rows('monitors'))
  append(into.contacts, rows(page, 'alert_contacts', 'alertContacts'))
  append(into.windows, page.rows('mwindows'))
  append(into.pages, page.rows('psps'))
  for (const element of page.rows('data')) sort(element, into)
}

function isTable({ head }: Input): boolean {
  return !/^\s*[[{]/.test(head.toString('utf8'))
}

/** Columns are known by the letters of their names. */
async function readTable(input: Input): Promise<readonly Row[]> {
  try {
    const lines: unknown[] = parse(await input.text(), {
      ...{ bom: true, skip_empty_lines: true, relax_column_count: true, trim: true },
      columns: (names: string[]) => names.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, '')),
    })
    return lines.map(rowOf)
  } catch (error) {
    throw faulty(input.path, `This is no table: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Throws for a file with nothing of UptimeRobot. */
export async function readInto(input: Input, into: Export): Promise<void> {
  const before = Object.values(into).reduce((sum, list: Row[]) => sum + list.length, 0)
  if (isTable(input))
    append(
      into.monitors,
      (await readTable(input)).filter((row) => text(row, 'url', 'urlip', 'urlorip') !== null),
    )
  else {
    const value = await readValue(input)
    for (const page of [value].flat()) gather(rowOf(page), into)
  }
  if (Object.values(into).reduce((sum, list: Row[]) => sum + list.length, 0) > before) return
  throw faulty(
    input.path,
    'Nothing of UptimeRobot is in it: expected answers of getMonitors (v2), of /v3/monitors, or a table with a column URL.',
  )
}
