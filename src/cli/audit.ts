import { readFile } from 'node:fs/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import { type AuditHead, auditHeads, findLostHead } from '../database/accounts/audit-heads.ts'
import { isObject } from '../domain/input/json.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { showAudit } from './audit-records.ts'
import { configOf, withDatabase } from './configured.ts'
import { print, table } from './print.ts'

/** The exit code when a record is gone. */
const faultCode = 2

async function heads(_flags: object, command: Command): Promise<void> {
  for (const head of await withDatabase(command, auditHeads)) print(JSON.stringify(head))
}

function headOf(line: string, place: number): AuditHead {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    read = null
  }
  const written = isObject(read) && isObject(read['auditHead']) ? read['auditHead'] : read
  const { owner_id, position, digest, time } = isObject(written) ? written : {}
  const isNumbered = Number.isInteger(owner_id) && Number.isInteger(position)
  if (!isNumbered || !/^[0-9a-f]+$/.test(String(digest)) || Number.isNaN(Date.parse(String(time))))
    throw new CannotStart(
      `Line ${place + 1} is no line of \`latarnik audit heads\`, nor one of the log with auditHead.`,
    )
  return { owner_id: Number(owner_id), position: Number(position), digest: String(digest), time: String(time) }
}

async function verify(file: string, _flags: object, command: Command): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CannotStart(`${file} cannot be read: ${error.message}`)
  })
  const kept = text.split('\n').filter((line) => line.trim() !== '')
  if (kept.length === 0) throw new CannotStart(`${file} has no heads.`)
  const limits = { now: Date.now(), retentionDays: configOf(command).auditRetentionDays }
  const lost = await withDatabase(command, (database) => findLostHead(database, kept.map(headOf), limits))
  if (lost === null) return print(`The audit log still has the records of all ${kept.length} heads.`)
  print(`Record ${lost.position} of account ${lost.owner_id} is gone, or was changed, since ${lost.time}.`)
  process.exitCode = faultCode
}

interface ShowFlags {
  readonly from?: number
  readonly operation?: string
  readonly limit: number
  readonly json?: boolean
}

function momentOf(given: string): number {
  const at = Date.parse(given)
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a moment like 2026-11-21 or 2026-11-21T09:00:00Z.')
  return at
}

function countOf(given: string): number {
  const count = Number(given)
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return count
}

async function show(account: string | undefined, flags: ShowFlags, command: Command): Promise<void> {
  const { from, operation, limit, json } = flags
  const records = await withDatabase(command, (database) => showAudit(database, { account, from, operation, limit }))
  if (json === true) {
    for (const record of records) print(JSON.stringify(record))
    return
  }
  const rows = records.map(({ time, account_id: id, username, ip_address: address, source, ...record }) => [
    ...[time, username ?? (id === null ? '' : `#${id}`), source, address],
    ...[record.operation, record.object_id ?? ''],
  ])
  print(table([['TIME', 'WHO', 'BY', 'FROM', 'OPERATION', 'OBJECT'], ...rows]))
}

function addShow(audit: Command): void {
  audit
    .command('show')
    .description('print the audit log of an account, or of the installation: stations, packages, administrators')
    .argument(
      '[account]',
      'a username, or the number of an account, also of one that is gone; default: the installation',
    )
    .option('--from <moment>', 'only what happened since, such as 2026-11-21', momentOf)
    .option('--operation <name>', 'only operations that begin so, such as accounts. or services.remove')
    .addOption(new Option('--limit <count>', 'the latest records').argParser(countOf).default(100))
    .option('--json', 'as JSON, a record a line, with the values before and after')
    .action(show)
}

export function auditCommand(): Command {
  const audit = new Command('audit').description('read the audit log, and anchor it outside of the database')
  addShow(audit)
  audit.command('heads').description('print the last record of each chain, to keep elsewhere').action(heads)
  audit
    .command('verify')
    .description('test whether the audit log still has the records of a kept file; exit code 2 if not')
    .argument('<file>', 'lines of `latarnik audit heads`, or of the program’s log that have `auditHead`')
    .action(verify)
  return audit
}
