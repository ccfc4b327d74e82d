import { Command } from 'commander'
import { version } from '../config/config.ts'
import type { DumpKind } from '../database/dump/manifest.ts'
import { writeDump } from '../database/dump/write.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { type ExportFlags, exportConfiguration } from './configuration.ts'
import { print } from './print.ts'
import { showProgress, sizeText } from './progress.ts'
import { remoteOptions } from './remote.ts'
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

/** With a file the whole database, at its machine; without one the configuration of an account, over the API. */
async function exporting(file: string | undefined, flags: ExportFlags, command: Command): Promise<void> {
  // The environment may name an installation for other commands.
  const isRemote = ['server', 'token', 'output', 'managedBy'].some(
    (name) => command.getOptionValueSource(name) === 'cli',
  )
  if (file !== undefined && isRemote)
    throw new CannotStart(
      'FILE without -o takes all data of this machine: write -o FILE to export the configuration of an installation.',
    )
  if (file !== undefined && /\.ya?ml$/i.test(file))
    throw new CannotStart(
      `All data of this machine are no YAML: write -o ${file} to export the configuration, or name the file otherwise.`,
    )
  if (file === undefined) await exportConfiguration(flags)
  else await writing('export')(file, flags, command)
}

export function exportCommand(): Command {
  const command = new Command('export')
    .description(
      'without a file: write the configuration of an account as YAML, for `latarnik apply`; with one: write all entered and measured data of this machine, for another version or program',
    )
    .argument('[file]', 'the file of all data to write; only this user can read it')
    .option('-o, --output <file>', 'the file of the configuration; default standard output')
    .option('--managed-by <mark>', 'the mark of the configuration; objects with other marks are left out')
  for (const option of remoteOptions()) command.addOption(option)
  return command.action(exporting)
}
