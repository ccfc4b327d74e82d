import { Command } from 'commander'
import { version } from '../config/config.ts'
import type { DumpKind } from '../database/dump/manifest.ts'
import { writeDump } from '../database/dump/write.ts'
import { print } from './print.ts'
import { showProgress, sizeText } from './progress.ts'
import { withWholeDatabase } from './whole-database.ts'

function writing(kind: DumpKind) {
  return async (file: string, _flags: object, command: Command): Promise<void> => {
    const written = await withWholeDatabase(command, { joinRunning: true }, (whole) =>
      writeDump({ ...whole, file, kind, programVersion: version, now: Date.now(), progress: showProgress() }),
    )
    const { rows, tables, artifacts, bytes } = written
    print(`${file}: ${rows} rows of ${tables} tables and ${artifacts} artifacts in ${sizeText(bytes)}.`)
    print('The file holds digests of passwords and secrets of services: keep it as safe as the database.')
  }
}

export function backupCommand(): Command {
  return new Command('backup')
    .description('write the whole database and the evidence into a new file; the program may run meanwhile')
    .argument('<file>', 'the file to write; only this user can read it')
    .action(writing('backup'))
}

export function exportCommand(): Command {
  return new Command('export')
    .description('write all entered and measured data as JSON lines, for another version or program')
    .argument('<file>', 'the file to write; only this user can read it')
    .action(writing('export'))
}
