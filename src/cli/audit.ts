import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { type AuditHead, auditHeads, findLostHead } from '../database/audit-heads.ts'
import { isObject } from '../domain/json.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { configOf, withDatabase } from './configured.ts'
import { print } from './print.ts'

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
  const { owner_id, position, digest, time } = isObject(read) ? read : {}
  const isNumbered = Number.isInteger(owner_id) && Number.isInteger(position)
  if (!isNumbered || !/^[0-9a-f]+$/.test(String(digest)) || Number.isNaN(Date.parse(String(time))))
    throw new CannotStart(`Line ${place + 1} is no line of \`latarnik audit heads\`.`)
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

export function auditCommand(): Command {
  const audit = new Command('audit').description('anchor the audit log outside of the database')
  audit.command('heads').description('print the last record of each chain, to keep elsewhere').action(heads)
  audit
    .command('verify')
    .description('test whether the audit log still has the records of a kept file; exit code 2 if not')
    .argument('<file>', 'lines of `latarnik audit heads`')
    .action(verify)
  return audit
}
