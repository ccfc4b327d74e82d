import { destination, type Logger, pino } from 'pino'
import type { LogLevel } from './config-variables.ts'

export type Log = Logger

/** Members that may carry a secret, wherever a careless line puts them. */
const secretNames = ['authorization', 'password', 'new_password', 'current_password', 'token', 'smtpUrl', 'databaseUrl']

/** JSON lines on stderr; stdout belongs to what a person started the program for. */
export function createLog(level: LogLevel, target = destination({ dest: 2, sync: true })): Log {
  const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  return pino({ level, base: { pid: process.pid }, redact: { paths, censor: '…' } }, target)
}
