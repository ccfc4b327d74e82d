// Compares the files of a deployment with the program.
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { commandLine } from '../../src/cli/command-line.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Variable } from '../../src/config/variable.ts'
import { variables } from '../../src/config/variables.ts'

const known: Readonly<Record<string, Variable<unknown>>> = variables
/** Variables of Node itself. */
const foreign = ['NODE_ENV']

/** Names of variables that the program does not know. */
export function unknownVariables(names: readonly string[]): readonly string[] {
  return names.filter((name) => !foreign.includes(name) && known[name] === undefined && !isFileOfSecret(name))
}

function isFileOfSecret(name: string): boolean {
  return name.endsWith('_FILE') && known[name.slice(0, -'_FILE'.length)]?.isSecret === true
}

/** The program's faults for these variables; files of secrets are not read. */
export function faultsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  const entries = Object.entries(environment).filter(([name]) => !isFileOfSecret(name))
  const outcome = readConfig(Object.fromEntries(entries))
  return 'faults' in outcome ? outcome.faults : []
}

const wholeCommandLine = await commandLine()

/** The fault in the arguments of a call of `latarnik`; null for none. */
export function commandFault(args: readonly string[]): string | null {
  let command: Command = wholeCommandLine
  const options = [...command.options]
  for (const word of args) {
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) break
    command = next
    options.push(...command.options)
  }
  if (command.parent === null) return `there is no command ${args[0]}`
  const strange = args.find((word) => word.startsWith('--') && !options.some(({ long }) => long === word))
  return strange === undefined ? null : `${command.name()} has no option ${strange}`
}

export interface Instruction {
  readonly keyword: string
  readonly text: string
}

/** The instructions of the Dockerfile, continued lines as one. */
export function dockerInstructions(): readonly Instruction[] {
  return readFileSync('Dockerfile', 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, keyword = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      return { keyword, text }
    })
}

/** The variables that the image sets. */
export function imageEnvironment(): Readonly<Record<string, string>> {
  const pairs = dockerInstructions()
    .filter(({ keyword }) => keyword === 'ENV')
    .flatMap(({ text }) => text.trim().split(/\s+/))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  return Object.fromEntries(pairs)
}
