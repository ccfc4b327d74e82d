import { isObject } from '../domain/input/json.ts'
import { isXmlDump, readXmlDump } from './dump-xml.ts'
import { faulty, type Input, readRow } from './input.ts'
import { type Row, rowOf } from './row.ts'
import { isSqlite, readSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { otherTables } from './uptime-kuma-left-out.ts'

/** The tables of Uptime Kuma, whatever form they come in. */

const names = [
  ...['monitor', 'notification', 'monitor_notification', 'tag', 'monitor_tag', 'setting', 'incident'],
  ...['maintenance', 'monitor_maintenance', 'status_page', 'status_page_cname', 'group', 'monitor_group'],
  ...otherTables,
]

export async function readKuma(input: Input): Promise<Tables> {
  const tables = await tablesOf(input)
  if ((tables.get('monitor') ?? []).length > 0) return tables
  throw faulty(input.path, 'There are no monitors of Uptime Kuma in it.')
}

async function tablesOf(input: Input): Promise<Tables> {
  if (isSqlite(input.head)) return readSqlite(input.path, names)
  if (isXmlDump(input.head)) return readXmlDump(input, names)
  if (/^\s*\{/.test(input.head.toString('utf8'))) return backupTables(await readRow(input))
  throw faulty(
    input.path,
    'Expected kuma.db, a dump by `mariadb-dump --xml`, or a JSON backup. A dump of statements is made anew with --xml.',
  )
}

/** `databaseConnectionString` → `database_connection_string`, as the table calls it. */
function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function asColumns({ members }: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [columnOf(name), value]))
}

/** The backup of version 1 has each monitor with its tags and notifications inside. */
function backupTables(backup: Row): Tables {
  const monitors = backup.rows('monitorList')
  const tags = new Map<string, Row>()
  const links = monitors.flatMap((monitor) => {
    const own = monitor.rows('tags')
    for (const tag of own) tags.set(tag.text('tag_id') ?? '', rowOf({ ...tag.members, id: tag.text('tag_id') }))
    return own.map((tag) =>
      rowOf({ monitor_id: monitor.text('id'), tag_id: tag.text('tag_id'), value: tag.text('value') }),
    )
  })
  const told = monitors.flatMap((monitor) => {
    const list = monitor.members['notificationIDList']
    const ids = isObject(list) ? Object.keys(list).filter((key) => list[key] === true) : []
    return ids.map((notification) => rowOf({ monitor_id: monitor.text('id'), notification_id: notification }))
  })
  return new Map([
    ['monitor', monitors.map((monitor) => rowOf(asColumns(monitor)))],
    ['notification', backup.rows('notificationList')],
    ['monitor_notification', told],
    ['tag', [...tags.values()]],
    ['monitor_tag', links],
    ['proxy', backup.rows('proxyList')],
  ])
}
