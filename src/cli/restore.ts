import { Command } from 'commander'
import { checkDump } from '../database/dump/check.ts'
import { type Loaded, type LoadOptions, loadDump } from '../database/dump/load.ts'
import { type DumpKind, kindOf } from '../database/dump/manifest.ts'
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
    `${file} is whole: a ${kindOf(header)} of ${header.taken_at} by Latarnik ${header.program_version}, schema ${header.schema}.`,
  )
  print(`It holds ${rows} rows of ${manifest.tables.length} tables and ${manifest.artifacts.count} artifacts.`)
}

function tell({ takenAt, programVersion, rows, artifacts, leftOut, givenUp }: Loaded): void {
  for (const name of leftOut) print(`Left out, unknown to this version: ${name}`)
  if (givenUp > 0) {
    print(
      `${givenUp} ${givenUp === 1 ? 'message was' : 'messages were'} waiting then; the program that went on has sent them.`,
    )
  }
  print(
    `${rows} rows and ${artifacts} artifacts of ${new Date(takenAt).toISOString()} (Latarnik ${programVersion}) are in place.`,
  )
  print(
    'From the next start on everything in it is checked and notified of, even where the original still does the same.',
  )
  print('To look at a copy in quiet start it with ROLES=api: nothing is checked and nothing sent.')
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

const forceText = 'replace what is in the database'
const checkText = 'only read the file through and say whether it is whole'

export function restoreCommand(): Command {
  return new Command('restore')
    .description('put a backup in place of the database while no program runs on it; all of it or nothing')
    .argument('<file>', 'of `latarnik backup`')
    .option('--force', forceText)
    .option('--check', checkText)
    .action(loading('backup'))
}

export function importCommand(): Command {
  return new Command('import')
    .description('put an export in place of the database while no program runs on it; all of it or nothing')
    .argument('<file>', 'of `latarnik export`')
    .option('--force', forceText)
    .option('--check', checkText)
    .action(loading('export'))
}
