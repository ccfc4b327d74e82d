import { Command } from 'commander'
import { version } from '../config/config.ts'
import { endOnBrokenPipe } from '../program/broken-pipe.ts'
import { isForPerson, refuse } from '../program/run.ts'
import { accountCommand } from './account.ts'
import { auditCommand } from './audit.ts'
import { backupCommand, exportCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import { applyCommand, planCommand } from './configuration.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { historyCommand } from './history.ts'
import { pauseCommand, resumeCommand } from './pause.ts'
import { importCommand, restoreCommand } from './restore.ts'
import { sensorCommand } from './sensor.ts'
import { startCommand } from './start.ts'
import { statusPageCommand } from './status-page.ts'

const subcommands = [
  startCommand,
  demoCommand,
  accountCommand,
  sensorCommand,
  backupCommand,
  restoreCommand,
  exportCommand,
  importCommand,
  historyCommand,
  auditCommand,
  statusPageCommand,
  doctorCommand,
  checkCommand,
  pauseCommand,
  resumeCommand,
  planCommand,
  applyCommand,
]

/** Options may stand before or after the subcommand's name. */
export function commandLine(): Command {
  const program = new Command('latarnik')
    .description('Website and server monitoring judged by a quorum of stations.')
    .version(version)
    .option('--config <path>', 'file of NAME=value lines; environment variables override it')
    .addHelpText('afterAll', '\nVariables and their defaults: docs/operations.md; --config names a file of them.')
  for (const command of subcommands) {
    program.addCommand(command())
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
    await explainMistakes(commandLine())
      .hook('preAction', (_program, command) => {
        running = command.name()
      })
      .parseAsync()
  } catch (error) {
    if (isForPerson(error)) refuse([`latarnik: ${error.message}`])
    throw error
  }
}
