// Holds every statement that the program says in a test to what Citus takes; the tests' own are left alone.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, inject } from 'vitest'

const said = new Map<string, string | null>()
const isStatement = /^\s*(with|select|insert|update|delete|merge)\b/i
/** Statements pass through these on their way. */
const passage = /src\/database\/connect\.ts|src\/rest\/lost-races\.ts|src\/telemetry\//

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
  if (typeof given === 'string' && !said.has(given) && isStatement.test(given)) said.set(given, originOf())
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

/** Of a run each statement is looked at once. */
function isFirst(directory: string, text: string): boolean {
  try {
    writeFileSync(join(directory, createHash('sha1').update(text).digest('hex')), '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

afterAll(async () => {
  const { url, directory } = inject('statementGuard')
  const own = [...said].filter(([text, origin]) => origin !== null && isFirst(directory, text))
  if (own.length === 0) return
  const { openJudge } = await import('./citus-judge.ts')
  const judge = await openJudge(url)
  const refused: string[] = []
  for (const [text, origin] of own) {
    const why = await judge.refusals(text)
    if (why.length > 0) refused.push(`${origin}: ${why.join('; ')}\n    ${text.replaceAll(/\s+/g, ' ').slice(0, 3000)}`)
  }
  await judge.close()
  if (refused.length > 0) throw new Error(`Citus would refuse:\n${refused.join('\n')}`)
})
