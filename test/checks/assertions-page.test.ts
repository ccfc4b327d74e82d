import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { assertionList } from '../../src/checks/http/assertion-shape.ts'
import { readJson } from '../../src/domain/input/json.ts'
import {
  assertionComparisons,
  assertionSources,
  certificateProperties,
  mostAssertions,
} from '../../src/domain/services/assertion.ts'
import { createChecker } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

/** The examples of docs/assertions.md are run as they stand. */
const page = readFileSync('docs/assertions.md', 'utf8')
const servers = createNastyServers()
const checker = createChecker()
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const example = /```http\n([\s\S]*?)\n```\n\n```json\n([\s\S]*?)\n```(?:\n\n```text\n([\s\S]*?)\n```)?/g
const examples = [...page.matchAll(example)].map(([, response = '', json = '', message = null]) => {
  return { response, json, message }
})

test('the page has examples that hold, and one that fails', () => {
  expect(examples.filter(({ message }) => message === null).length).toBeGreaterThanOrEqual(3)
  expect(examples.filter(({ message }) => message !== null).length).toBeGreaterThanOrEqual(1)
})

test.each(examples)('an example of the page is as it says: %#', async ({ response, json, message }) => {
  const { value: assertions, problems } = readJson(assertionList, JSON.parse(json), 'assertions')
  expect(problems).toEqual([])
  const [head = '', body = ''] = response.split('\n\n')
  const port = await servers.http((socket) => {
    socket.end(`${head.replaceAll('\n', '\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  })
  const result = await checker.check('http', `127.0.0.1:${port}/`, { assertions: JSON.stringify(assertions) })
  expect(result.errorMessage).toBe(message)
})

test('the page names every source, comparison and property', () => {
  const names = [...assertionSources, ...assertionComparisons, ...certificateProperties]
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  expect(page).toContain(`at most ${mostAssertions}`)
})
