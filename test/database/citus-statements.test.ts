import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { lockedByNobody, refusedByCitus, takenByCitus } from '../support/citus-examples.ts'
import { type Judge, openJudge } from '../support/citus-judge.ts'

/** The rules of the statement guard (support/statement-guard.ts). Where there is Citus, citus.test.ts asks it too. */
let judge: Judge
beforeAll(async () => {
  judge = await openJudge(inject('statementGuard').url)
})
afterAll(() => judge.close())

test.each(refusedByCitus)('refused: %s', async (reason, statement) => {
  expect(await judge.refusals(statement)).toContain(reason)
})

test.each(lockedByNobody)('refused, because it would lock nothing: %s', async (statement) => {
  expect(await judge.refusals(statement)).toEqual(['rows of several shards are locked'])
})

test.each(takenByCitus)('taken: %s', async (statement) => {
  expect(await judge.refusals(statement)).toEqual([])
})
