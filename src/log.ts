import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { LogLevel } from './config-variables.ts'
import { textOfLine } from './log-text.ts'
import type { LogFormat } from './watching-variables.ts'

export type Log = Logger

/** Members that may carry a secret, wherever a careless line puts them. */
const secretNames = [
  ...['authorization', 'cookie', 'password', 'new_password', 'current_password', 'token', 'secret', 'secrets'],
  ...['smtpUrl', 'databaseUrl', 's3', 'sms', 'credentials', 'tracesEndpoint'],
]

/** Members of members, as deep as the configuration within something else goes. */
const depths = ['', '*.', '*.*.', '*.*.*.']

const stderr = () => destination({ dest: 2, sync: true })

/** Lines on stderr; stdout belongs to what a person started the program for. */
export function createLog(level: LogLevel, format: LogFormat = 'json', target: DestinationStream = stderr()): Log {
  const paths = secretNames.flatMap((name) => depths.map((depth) => depth + name))
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY)
  const readable = { write: (line: string) => target.write(textOfLine(line)) }
  return pino({ level, base: { pid: process.pid }, redact: { paths, censor: '…' } }, isText ? readable : target)
}
