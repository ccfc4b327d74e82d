import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import { yamlOf } from '../configuration/show.ts'
import { managedByPattern } from '../domain/configuration/managed-key.ts'
import { Draft } from '../importers/draft.ts'
import type { Importer } from '../importers/importer.ts'
import { importers } from '../importers/index.ts'
import { type Input, inputOf, inputOfStream } from '../importers/input.ts'
import { reportJson, reportLines, reportMarkdown } from '../importers/report.ts'
import { environmentFile } from '../importers/secrets-file.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { orFaults } from './faults.ts'

/** `latarnik import KIND FILE…`: the export of another monitor as YAML for `latarnik apply`. */

interface Flags {
  readonly output?: string
  readonly report?: string
  readonly secrets?: string
  readonly managedBy: string
  readonly minimumInterval: number
}

/** Only this user may read it. A file that is there stays as it is. */
async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'it is there already' : error.message
    throw new CannotStart(`${path} cannot be written: ${why}.`)
  })
}

async function inputsOf(paths: readonly string[]): Promise<readonly Input[]> {
  const inputs: Input[] = []
  for (const path of paths) {
    inputs.push(await (path === '-' ? inputOfStream('standard input', process.stdin) : inputOf(path)))
  }
  return inputs
}

async function importFiles(importer: Importer, paths: readonly string[], flags: Flags): Promise<void> {
  const draft = new Draft({
    ...{ product: importer.product, mark: flags.managedBy, minimumInterval: flags.minimumInterval },
    ...{ nowAt: Date.now(), environment: process.env },
  })
  await importer.read(await inputsOf(paths), draft)
  const { document, report, secrets } = draft.finish()
  const yaml = yamlOf(document, ` Imported from ${importer.product} by latarnik import ${importer.kind}.`)
  if (flags.output === undefined) process.stdout.write(yaml)
  else await writeNew(flags.output, yaml)
  if (flags.secrets !== undefined) await writeNew(flags.secrets, environmentFile(secrets))
  if (flags.report !== undefined) {
    await writeNew(flags.report, flags.report.endsWith('.json') ? reportJson(report) : reportMarkdown(report))
  }
  for (const line of reportLines(report)) process.stderr.write(`${line}\n`)
}

function readMark(text: string): string {
  if (managedByPattern.test(text)) return text
  throw new InvalidArgumentError('Expected up to 100 letters, digits, `.`, `_`, `:`, `/`, `-`.')
}

const longestMinimum = 86_400

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= longestMinimum) return seconds
  throw new InvalidArgumentError(`Expected seconds from 1 to ${longestMinimum}.`)
}

/** One subcommand of `import` per importer. */
export function importerCommands(): readonly Command[] {
  return importers.map((importer) =>
    new Command(importer.kind)
      .description(`turn what ${importer.product} has into YAML for \`latarnik apply\`; nothing is changed anywhere`)
      .argument('<file...>', `${importer.files}; - for standard input`)
      .option('-o, --output <file>', 'the file of the configuration; default standard output')
      .option('--report <file>', 'what was carried, changed and left, as Markdown, or as JSON for a name in .json')
      .option('--secrets <file>', 'the values of the variables, for a shell to read; only this user can read it')
      .option('--managed-by <mark>', 'the mark of the configuration', readMark, importer.kind)
      .option('--minimum-interval <seconds>', 'the shortest interval that the package allows', readSeconds, 60)
      .addHelpText('after', '\nSecrets become variables; docs/importing.md tells what becomes of each part.')
      .action((paths: readonly string[], flags: Flags) => orFaults(() => importFiles(importer, paths, flags))),
  )
}
