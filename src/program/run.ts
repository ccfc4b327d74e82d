import { type Config, readConfig, version } from '../config/config.ts'
import { DumpRefused } from '../database/dump/refused.ts'
import { DatabaseAway, DatabaseUnusable } from '../database/unusable.ts'
import { endOnBrokenPipe } from './broken-pipe.ts'
import { CannotStart } from './cannot-start.ts'
import { watchNpx } from './launched-by-npx.ts'
import { createLog, type Log } from './log.ts'
import type { Program } from './program.ts'
import { firstLoginsMessage, readyMessage } from './start-message.ts'

const stopPatienceMs = 10_000
/** npm repeats a signal that the terminal has already sent to the whole group; the repetition is not a second wish. */
const echoMs = 500

const personCode = 2
/** As `sysexits.h` has it (EX_TEMPFAIL): a supervisor should start the program again. */
const laterCode = 75

/** Ends the process with the person's mistakes, one sentence a line; nothing of ours is broken. */
export function refuse(sentences: readonly string[], code = personCode): never {
  for (const sentence of sentences) process.stderr.write(`${sentence}\n`)
  process.exit(code)
}

/** The configuration: command line over environment over file. Ends the process if any value is wrong. */
export function chooseConfig(path: string | undefined, flags: Readonly<Record<string, string>> = {}): Config {
  const file = path === undefined ? {} : { LATARNIK_CONFIG: path }
  const outcome = readConfig({ ...process.env, ...file, ...flags })
  if ('config' in outcome) return outcome.config
  return refuse(
    path === undefined
      ? outcome.faults
      : outcome.faults.map((fault) => fault.replace(/^LATARNIK_CONFIG: /, '--config: ')),
  )
}

/** Our own sentences are shown alone; any other error is a fault of the program. */
export function isForPerson(error: unknown): error is Error {
  return error instanceof CannotStart || error instanceof DatabaseUnusable || error instanceof DumpRefused
}

/** Runs the whole program in this process until a signal ends it. */
export async function run(configPath: string | undefined): Promise<void> {
  const startedAt = performance.now()
  const config = chooseConfig(configPath)
  const log = createLog(config.logLevel, config.logFormat)
  endWhenBroken(log)
  endOnBrokenPipe(process.stdout, () => true)
  log.info(`Latarnik ${version} starts.`)
  try {
    let newAccount: string | null = null
    const { apiUrl, metricsUrl, stations, missing, loginLink } = await untilSignal(async (signal) => {
      // Loaded late, so that help and wrong variables are reported at once.
      const { startProgram } = await import('./program.ts')
      return startProgram({
        ...{ config, log, signal },
        clock: { now: () => Date.now() },
        onLost: (sentence) => endAfter(log, sentence),
        tellFirstLogins(made) {
          process.stdout.write(firstLoginsMessage(made))
          // An operator who chose the password keeps it out of logs, and wants no link there either.
          if (made.account.generatedPassword !== null) newAccount = made.account.username
        },
      })
    }, log)
    const seconds = (performance.now() - startedAt) / 1000
    const firstVisit = newAccount === null ? null : await loginLink(newAccount)
    const ready = { version, seconds, config, apiUrl, metricsUrl, stations, missing: missing(), firstVisit }
    process.stdout.write(`\n${readyMessage(ready)}`)
  } catch (error) {
    // After a power cut the machine of the database may be up later than this one.
    if (isForPerson(error))
      refuse([`latarnik: ${error.message}`], error instanceof DatabaseAway ? laterCode : personCode)
    log.fatal({ err: error }, 'the program could not start')
    process.exit(1)
  }
}

/** Nothing is left that could be stopped in order. */
export function endAfter(log: Log, sentence: string): never {
  log.fatal(sentence)
  process.exit(1)
}

export function endWhenBroken(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the program ends because of an unexpected error')
    process.exit(1)
  })
}

/**
 * Starts the program and runs it until a signal. The first signal stops it cleanly. During the start it cancels the
 * start through the signal passed to `start`; then this never settles, and the process ends. A second signal, or ten
 * seconds, ends the process at once.
 */
export async function untilSignal<P extends Pick<Program, 'stop'>>(
  start: (signal: AbortSignal) => Promise<P>,
  log: Log,
): Promise<P> {
  const stopping = new AbortController()
  const starting = start(stopping.signal)
  stopOnSignals(starting, stopping, log)
  try {
    return await starting
  } catch (error) {
    if (stopping.signal.aborted) return new Promise<never>(() => undefined)
    throw error
  }
}

function stopOnSignals(starting: Promise<Pick<Program, 'stop'>>, stopping: AbortController, log: Log): void {
  let askedAt: number | undefined
  const stop = async (signal: NodeJS.Signals | 'the end of npx'): Promise<void> => {
    if (askedAt !== undefined) {
      if (performance.now() - askedAt > echoMs)
        endAtOnce(log, `ended at once without an orderly stop (${signal} again)`)
      return
    }
    askedAt = performance.now()
    log.info(`stopping (${signal})`)
    // Only for a person at a terminal; elsewhere it would be a malformed log line.
    if (process.stderr.isTTY)
      process.stderr.write('\nStopping, which takes some seconds. Ctrl-C again ends it at once.\n')
    const late = `ended without an orderly stop: it took longer than ${stopPatienceMs} ms`
    setTimeout(() => endAtOnce(log, late), stopPatienceMs).unref()
    stopping.abort()
    // The caller of the start reports its failure; then there is nothing to stop.
    const program = await starting.catch(() => undefined)
    await program?.stop()
    log.info(`stopped after ${Math.round(performance.now() - askedAt)} ms`)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  watchNpx(() => void stop('the end of npx'))
}

function endAtOnce(log: Log, message: string): never {
  log.warn(message)
  process.exit(1)
}
