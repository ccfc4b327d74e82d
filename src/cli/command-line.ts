import { Command } from 'commander'
import { version } from '../config/config.ts'
import { endOnBrokenPipe } from '../program/broken-pipe.ts'
import { isForPerson, refuse } from '../program/run.ts'

/** Each is read when it is asked for: the files of all of them would stay in the memory of a program that runs. */
const subcommands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).startCommand(),
  demo: async () => (await import('./demo.ts')).demoCommand(),
  account: async () => (await import('./account.ts')).accountCommand(),
  sensor: async () => (await import('./sensor.ts')).sensorCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./restore.ts')).restoreCommand(),
  export: async () => (await import('./backup.ts')).exportCommand(),
  import: async () => (await import('./restore.ts')).importCommand(),
  history: async () => (await import('./history.ts')).historyCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  'status-page': async () => (await import('./status-page.ts')).statusPageCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  check: async () => (await import('./check.ts')).checkCommand(),
  pause: async () => (await import('./pause.ts')).pauseCommand(),
  resume: async () => (await import('./pause.ts')).resumeCommand(),
  plan: async () => (await import('./configuration.ts')).planCommand(),
  apply: async () => (await import('./configuration.ts')).applyCommand(),
}

/**
 * The subcommand that the arguments name. Undefined if they name none, or if that cannot be told without reading
 * them all.
 */
function namedBy(arguments_: readonly string[]): string | undefined {
  const [first, second, third] = arguments_
  const name = first === '--config' && second !== undefined ? third : first
  return name !== undefined && Object.hasOwn(subcommands, name) ? name : undefined
}

/**
 * Options may stand before or after the subcommand's name.
 *
 * @param only the name of one subcommand; default: all of them, as the help shows them
 */
export async function commandLine(only?: string): Promise<Command> {
  const program = new Command('latarnik')
    .description('Website and server monitoring judged by a quorum of stations.')
    .version(version)
    .option('--config <path>', 'file of NAME=value lines; environment variables override it')
    .addHelpText('afterAll', '\nVariables and their defaults: docs/operations.md; --config names a file of them.')
  for (const [name, read] of Object.entries(subcommands)) {
    if (only === undefined || only === name) program.addCommand(await read())
  }
  return wrapHelp(program)
}

/** The library wraps no descriptions of less than 40 columns, so those beside a long name would leave the terminal. */
function wrapHelp(command: Command): Command {
  command.configureHelp({ minWidthToWrap: 20 })
  for (const subcommand of command.commands) wrapHelp(subcommand)
  return command
}

/** The command in the form that a user types: `latarnik account create`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

/** A subcommand does not inherit its parent's handling of mistakes. */
function explainMistakes(command: Command): Command {
  command
    .showHelpAfterError(`\`${nameOf(command)} --help\` tells more.`)
    .configureOutput({ outputError: (message, write) => write(message.replace(/^error:/, 'latarnik:')) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  for (const subcommand of command.commands) explainMistakes(subcommand)
  return command
}

/** These commands run until a signal ends them. */
const lasting: ReadonlySet<string> = new Set(['start', 'demo', 'sensor'])

export async function runCommandLine(): Promise<void> {
  let running = ''
  endOnBrokenPipe(process.stdout, () => lasting.has(running))
  try {
    await explainMistakes(await commandLine(namedBy(process.argv.slice(2))))
      .hook('preAction', (_program, command) => {
        running = command.name()
      })
      .parseAsync()
  } catch (error) {
    if (isForPerson(error)) refuse([`latarnik: ${error.message}`])
    throw error
  }
}
