import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { languageIds } from '../../src/domain/dictionaries.ts'
import { isProblemSymbol, problemCode } from '../../src/domain/input/problem-codes.ts'
import { fill } from '../../src/wording/fill.ts'
import { catalogues, problemDescription } from '../../src/wording/texts.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { errorCases } from './error-cases.ts'

/** Every symbol of the catalogue is reached through the API: the compiler asks for a case of each. */
let world: ApiWorld

beforeAll(async () => {
  // One of the cases breaks the program on purpose; that it is logged is held elsewhere.
  world = await apiWorld({ log: pino({ level: 'silent' }) })
  // They report in however long a case lets time pass.
  await world.database.execute(sql`update sensors set last_seen_at = ${new Date(world.clock.now() + 86_400_000)}`)
})
afterAll(() => world.drop())

test.each(Object.entries(errorCases))('%s is reached, coded and worded in both languages', async (symbol, one) => {
  if (!isProblemSymbol(symbol)) throw new Error(`${symbol} is not in the catalogue.`)
  const { status, code } = problemCode(symbol)
  const ask = await one.prepare(world)
  for (const language of languageIds) {
    const reply = await ask({ 'accept-language': language })
    const facts = typeof one.facts === 'function' ? one.facts(reply) : (one.facts ?? {})
    const alternatives = catalogues[language].problems.users[symbol]
    const message = fill(alternatives, facts)
    const field = one.field === undefined ? {} : { field: one.field }
    const description = problemDescription(symbol)
    expect([reply.status, reply.body]).toEqual([status, [{ code, error: symbol, description, ...field, message }]])
    // The last of several wordings is for want of facts.
    if (alternatives.length > 1) expect(message).not.toBe(alternatives.at(-1))
  }
})
