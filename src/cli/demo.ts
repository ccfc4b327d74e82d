import { Command, InvalidArgumentError } from 'commander'
import { type Config, version } from '../config/config.ts'
import { demoConfig } from '../demo/demo-config.ts'
import { createLog, type Log } from '../program/log.ts'
import { endAfter, refuse, untilSignal } from '../program/run.ts'
import { print } from './print.ts'
import { showProgress } from './progress.ts'

interface Flags {
  readonly directory: string
  readonly fresh?: true
  readonly days: number
  readonly seed: number
}

const longestMonth = 60
/** A directory of its own, even beside a real installation. */
function defaultDirectory({ DATA_DIR: place }: NodeJS.ProcessEnv): string {
  return `${place === undefined || place === '' ? './data' : place}/demo`
}

const daysText = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`

function wholeNumber(minimum: number, maximum: number) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < minimum || value > maximum)
      throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`)
    return value
  }
}

async function run(flags: Flags): Promise<void> {
  const { config, log } = configured(flags)
  print(`The demo of Latarnik ${version} starts.`)
  const demo = await untilSignal(async (signal) => {
    // At a terminal the handler of the signal says so.
    if (!process.stderr.isTTY) signal.addEventListener('abort', () => print('Stopping.'))
    // Loaded here because only this command needs it.
    const { startDemo } = await import('../demo/demo.ts')
    return startDemo({
      ...{ config, days: flags.days, seed: flags.seed, isFresh: flags.fresh === true, say: print },
      ...{ log, progress: showProgress(daysText), signal, onLost: (sentence) => endAfter(log, sentence) },
    }).catch((error) => {
      if (signal.aborted)
        print('Stopped before the demo was ready. The next run continues, or makes an unfinished month again.')
      throw error
    })
  }, log)
  const { demoMessage } = await import('../demo/message.ts')
  process.stdout.write(await demoMessage(demo, config))
}

function configured({ directory }: Flags): { readonly config: Config; readonly log: Log } {
  const outcome = demoConfig(process.env, directory)
  if ('faults' in outcome) return refuse(outcome.faults)
  const { config } = outcome
  return { config, log: createLog(config.logLevel, config.logFormat) }
}

export function demoCommand(): Command {
  return new Command('demo')
    .description('run the program with a demo company: its servers on this machine and a month of history')
    .option(
      '--directory <path>',
      'the directory of the demo; nothing outside is changed',
      defaultDirectory(process.env),
    )
    .option('--fresh', 'delete an existing demo first')
    .option('--days <number>', 'number of days in the history', wholeNumber(1, longestMonth), 30)
    .option('--seed <number>', 'the same seed makes the same history', wholeNumber(0, 2 ** 31), 1)
    .addHelpText(
      'after',
      `
The first run takes about a minute on an idle machine; a later run continues the
same demo. Everything is on 127.0.0.1 and in its own directory
and database. It reads only HOST, PORT, PUBLIC_URL, RATE_LIMIT, CPU_LIMIT,
CHROMIUM_PATH, CHROMIUM_SANDBOX, LOG_LEVEL and LOG_FORMAT from the environment;
its directory is made below DATA_DIR. So it never reaches your own database,
bucket, mail server or gateways.`,
    )
    .action((flags: Flags) => run(flags))
}
