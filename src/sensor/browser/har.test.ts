import { expect, test } from 'vitest'
import { protocolName } from './har.ts'

test.each([
  ['http/1.0', 'HTTP/1.0'],
  ['http/1.1', 'HTTP/1.1'],
  ['HTTP/1.1', 'HTTP/1.1'],
  ['h2', 'HTTP/2'],
  ['HTTP/2.0', 'HTTP/2'],
  ['h3', 'HTTP/3'],
])('%s is called %s', (name, called) => {
  expect(protocolName(name)).toBe(called)
})
