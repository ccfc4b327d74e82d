// Listens to every statement that the program says in this process. Loaded once for all the files that a process runs.
import pg from 'pg'

/**
 * The statements since the last look, with the file of the program that made each; null for a statement of a test's
 * own.
 */
const said = new Map<string, string | null>()
/** Looked at before: kept, so that the stack is not asked again. */
const known = new Set<string>()
const isStatement = /^\s*(with|select|insert|update|delete|merge)\b/i
/** Statements pass through these on their way. */
const passage = /src\/database\/(connect|watched-reads)\.ts|src\/rest\/lost-races\.ts|src\/telemetry\//

/** The file of the program that says it; null for a statement of a test's own. */
function originOf(): string | null {
  const holder: { stack?: string } = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  Error.captureStackTrace(holder, originOf)
  Error.stackTraceLimit = stackTraceLimit
  const line = holder.stack?.split('\n').find((one) => /\/src\/[^:]+\.ts/.test(one) && !passage.test(one))
  return /\/(src\/[^:?]+)/.exec(line ?? '')?.[1] ?? null
}

function hear(statement: unknown): void {
  const given = typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement
  if (typeof given !== 'string' || said.has(given) || known.has(given) || !isStatement.test(given)) return
  said.set(given, originOf())
}

for (const prototype of [pg.Pool.prototype, pg.Client.prototype]) {
  const before = prototype.query as (...given: unknown[]) => unknown
  Object.defineProperty(prototype, 'query', {
    ...{ configurable: true, writable: true },
    value(this: unknown, ...given: unknown[]) {
      hear(given[0])
      return before.apply(this, given)
    },
  })
}

/** The program's own statements that were said since this was asked last, with the files that said them. */
export function takeHeard(): readonly (readonly [text: string, origin: string])[] {
  const heard = [...said].flatMap(([text, origin]) => (origin === null ? [] : [[text, origin] as const]))
  for (const text of said.keys()) known.add(text)
  said.clear()
  return heard
}
