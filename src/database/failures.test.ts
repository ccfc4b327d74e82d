import { expect, test } from 'vitest'
import { isDatabaseAway } from './failures.ts'

test.each(['EMFILE', 'ENFILE', 'ECONNREFUSED', '57P01', '53100'])('%s says that the database is away', (code) => {
  const error = Object.assign(new Error(`connect ${code}`), { code })
  expect(isDatabaseAway(error)).toBe(true)
  expect(isDatabaseAway(new AggregateError([new Error('other'), error]))).toBe(true)
  expect(isDatabaseAway(new Error('wrapped', { cause: error }))).toBe(true)
})

test.each(['23505', '42P01', 'EACCES'])('%s says nothing of the kind', (code) => {
  expect(isDatabaseAway(Object.assign(new Error(code), { code }))).toBe(false)
})
