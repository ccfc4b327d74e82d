import { expect, test } from 'vitest'
import { isDatabaseAway, isServerAway } from './failures.ts'

test.each(['EMFILE', 'ENFILE', 'ECONNREFUSED', '57P01', '53100'])('%s says that the database is away', (code) => {
  const error = Object.assign(new Error(`connect ${code}`), { code })
  expect(isDatabaseAway(error)).toBe(true)
  expect(isDatabaseAway(new AggregateError([new Error('other'), error]))).toBe(true)
  expect(isDatabaseAway(new Error('wrapped', { cause: error }))).toBe(true)
})

test.each(['23505', '42P01', 'EACCES'])('%s says nothing of the kind', (code) => {
  expect(isDatabaseAway(Object.assign(new Error(code), { code }))).toBe(false)
})

test.each(['08000', '08001', '08003', '08006'])(
  'a coordinator that says %s of a machine is not away itself',
  (code) => {
    const told = Object.assign(new Error('connection to the remote node failed'), { code, severity: 'ERROR' })
    expect([isDatabaseAway(told), isServerAway(told)]).toEqual([true, false])
    const own = Object.assign(new Error('the connection failed'), { code })
    expect([isDatabaseAway(own), isServerAway(own)]).toEqual([true, true])
  },
)
