import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matches, multiline } from '../../src/sensor/pattern.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
const page = `<html>${'ab cd ef gh '.repeat(85_000)}the end</html>`
let port = 0
beforeAll(async () => {
  port = await servers.good((request, response) => response.end(request.url === '/small' ? 'all is well' : page))
})
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

/** Each of them takes the engine minutes on a megabyte. */
const slow = ['(?i)(.{0,999}q)', '(?i)[^<]{1,500}error']

test('a pattern that takes minutes ends as a fault of the setting, holds no other check, and is not tried again at once', async () => {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const address = `127.0.0.1:${port}/`
  const underWay = slow.map((pattern) => checker.check('http', address, { content_regex: pattern }))
  const others = await Promise.all(
    Array.from({ length: 20 }, () => checker.check('http', `${address}small`, { content_regex: 'all (is|was) well' })),
  )
  expect(others.map(verdictOf)).toEqual(Array(20).fill('ok'))
  for (const result of await Promise.all(underWay)) {
    expect([verdictOf(result), result.result]).toEqual(['setting_invalid', 'unknown'])
    expect(result.errorMessage).toMatch(/^setting content_regex takes too long/)
  }
  delay.disable()
  expect(delay.max / 1e6).toBeLessThan(5000)
  const startedAt = performance.now()
  await checker.check('http', address, { negative_content_regex: slow[0] ?? '' })
  expect(performance.now() - startedAt).toBeLessThan(1900)
})

test('a usual pattern is looked for in all of a large page, whatever was too slow before', async () => {
  const address = `127.0.0.1:${port}/`
  expect(verdictOf(await checker.check('http', address, { content_regex: 'the (end|rest)' }))).toBe('ok')
  expect(verdictOf(await checker.check('http', address, { content_regex: 'the end' }))).toBe('ok')
  expect(verdictOf(await checker.check('http', address, { content_regex: 'the (rest|last)' }))).toBe('content_missing')
  expect(verdictOf(await checker.check('http', address, { negative_content_regex: 'g[gh] ' }))).toBe(
    'content_forbidden',
  )
})

test.each(['x{1000}'.repeat(140), `(${'a'.repeat(900)}){1000}`, '('.repeat(1000), '(?=a)', '(a)\\1', 'a**', '[z-a]'])(
  'a pattern that cannot be used is named: %j',
  async (pattern) => {
    const result = await checker.check('http', `127.0.0.1:${port}/small`, { content_regex: pattern })
    expect(verdictOf(result)).toBe('setting_invalid')
    expect(result.errorMessage).toMatch(/^setting content_regex/)
  },
)

test('words without signs mean themselves', async () => {
  expect(await matches('x', 'a b', 'say a b')).toBe(true)
  expect(await matches('x', 'A b', 'say a b')).toBe(false)
  expect(await matches('x', 'a.b', 'axb')).toBe(true)
  expect(await matches('x', '^b$', 'a\nb\nc')).toBe(false)
  expect(await matches('x', '^b$', 'a\nb\nc', multiline)).toBe(true)
})
