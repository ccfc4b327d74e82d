import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { LogFormat, LogLevel } from '../config/watching-variables.ts'
import { harmlessJson, textOfLine } from './log-text.ts'
import { traceMembers } from './log-traces.ts'

export type Log = Logger

/** Members that may hold a secret, wherever a line puts them. */
const secretNames = [
  ...[
    'authorization',
    'cookie',
    'password',
    'new_password',
    'current_password',
    'token',
    'secret',
    'secrets',
    'clientSecret',
  ],
  ...[
    'smtpUrl',
    'databaseUrl',
    's3',
    'credentials',
    'proxy',
    'natsServers',
    'gateways',
    'tracesEndpoint',
    'serviceExport',
  ],
]

const secret: ReadonlySet<string> = new Set(secretNames)
const deepest = 8

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A copy without secrets, because the logged object may be frozen. */
function covered(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  if (Array.isArray(value)) return value.map((item) => covered(item, depth + 1))
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, secret.has(name) ? '…' : covered(member, depth + 1)]),
  )
}

/** `serviceId` → `service_id`, so that lines use the API's names. */
function asWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function factsOf(facts: object): Record<string, unknown> {
  const entries = Object.entries(covered(facts) as Record<string, unknown>)
  return Object.fromEntries(entries.map(([name, value]) => [asWords(name), value]))
}

const stderr = () => destination({ dest: 2, sync: true })

/** Writes lines to stderr; stdout is for the output that a person asked for. */
export function createLog(level: LogLevel, format: LogFormat = 'json', target: DestinationStream = stderr()): Log {
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY)
  const shown = isText ? textOfLine : harmlessJson
  return pino(
    {
      level,
      base: { pid: process.pid },
      mixin: traceMembers,
      formatters: { log: factsOf },
    },
    { write: (line: string) => target.write(shown(line)) },
  )
}
