import { Command } from 'commander'
import { checkDump } from '../database/dump/check.ts'
import { type Loaded, type LoadOptions, loadDump } from '../database/dump/load.ts'
import { type DumpKind, kindOf } from '../database/dump/manifest.ts'
import { meantHint } from '../domain/input/nearest-name.ts'
import { importers } from '../importers/index.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { importerCommands } from './importing.ts'
import { print } from './print.ts'
import { showProgress } from './progress.ts'
import { interruptible, withWholeDatabase } from './whole-database.ts'

interface Flags {
  readonly force?: boolean
  readonly check?: boolean
}

async function check(file: string): Promise<void> {
  const { header, manifest } = await interruptible((signal) => checkDump({ file, progress: showProgress(), signal }))
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  print(
    `${file} is intact: a ${kindOf(header)} of ${header.taken_at} by Latarnik ${header.program_version}, schema ${header.schema}.`,
  )
  print(`It holds ${rows} rows of ${manifest.tables.length} tables and ${manifest.artifacts.count} artifacts.`)
}

function tell({ takenAt, programVersion, rows, artifacts, leftOut, givenUp }: Loaded): void {
  for (const name of leftOut) print(`Left out, unknown to this version: ${name}`)
  if (givenUp > 0) {
    print(
      `${givenUp} ${givenUp === 1 ? 'message was' : 'messages were'} waiting at that time; the program that made the file has sent them.`,
    )
  }
  print(
    `${rows} rows and ${artifacts} artifacts of ${new Date(takenAt).toISOString()} (Latarnik ${programVersion}) are in place.`,
  )
  print('The next start checks and notifies everything in it, even if the original installation still does the same.')
  print('To look at a copy quietly, start it with ROLES=api: nothing is checked and nothing is sent.')
}

function loading(kind: DumpKind) {
  return async (file: string, flags: Flags, command: Command): Promise<void> => {
    if (flags.check === true) return check(file)
    const common: Pick<LoadOptions, 'file' | 'kind' | 'isForced'> = { file, kind, isForced: flags.force === true }
    const loaded = await withWholeDatabase(command, { joinRunning: false }, (whole) =>
      loadDump({ ...whole, ...common, now: Date.now(), progress: showProgress() }),
    )
    tell(loaded)
  }
}

const forceText = 'replace the content of a database that is not empty'
const checkText = 'only read the file and report whether it is intact'

export function restoreCommand(): Command {
  return new Command('restore')
    .description('replace the database with a backup; the program must not run; any failure changes nothing')
    .argument('<file>', 'a file from `latarnik backup`')
    .option('--force', forceText)
    .option('--check', checkText)
    .action(loading('backup'))
}

/** Several words are a kind and its files. */
function unknownKind(kind: string): string {
  const kinds = importers.map((one) => one.kind)
  return `There is no kind ${kind} of exports.${meantHint(kind, kinds)} Kinds: ${kinds.join(', ')}.`
}

/** With a file alone the whole database, at its machine; with a kind and files the configuration of another monitor. */
export function importCommand(): Command {
  const command = new Command('import')
    .description(
      'with a file: replace the database with an export (the program must not run; any failure changes nothing); with a kind: turn the export of another monitor into YAML for `latarnik apply`',
    )
    .argument('<file>', 'a file from `latarnik export`')
    .argument('[files...]', 'only with a kind')
    .option('--force', forceText)
    .option('--check', checkText)
    .action((file: string, others: readonly string[], flags: Flags, self: Command) => {
      if (others.length > 0) throw new CannotStart(unknownKind(file))
      return loading('export')(file, flags, self)
    })
  for (const importer of importerCommands()) command.addCommand(importer)
  return command
}
