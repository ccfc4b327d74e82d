import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configurationSchema } from '../../src/configuration/schema.ts'
import { schemaPath } from '../../src/configuration/serve-schema.ts'
import { model } from '../support/configuring.ts'
import { type Editor, startEditor } from '../support/editor.ts'

/** Files in an editor: the language server for YAML reads the schema that an installation serves. */

const installation = createServer((request, response) => {
  const isSchema = request.url === schemaPath
  response.writeHead(isSchema ? 200 : 404, { 'content-type': 'application/schema+json' })
  response.end(isSchema ? JSON.stringify(configurationSchema(model)) : '{}')
})
let editor: Editor
let head = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => installation.listen(0, '127.0.0.1', resolve))
  const { port } = installation.address() as AddressInfo
  head = `# yaml-language-server: $schema=http://127.0.0.1:${port}${schemaPath}\n`
  editor = await startEditor()
})
afterAll(async () => {
  await editor.close()
  installation.close()
})

const shop = 'version: 1\nservices:\n  shop:\n    name: Shop\n    type_id: http\n    address: shop.example.com\n'

test('an editor finds nothing wrong with the example of the documents', async () => {
  const example = await readFile('docs/examples/configuration.yaml', 'utf8')
  const own = example.replace(/^# yaml-language-server:.*\n/m, '')
  expect(own.length).toBeGreaterThan(1000)
  expect(await editor.open(head + own)).toEqual([])
})

test('an editor offers the kinds, the members of a kind, and those of the settings of a type', async () => {
  const kinds = await editor.complete(`${head}version: 1\n|`)
  expect(kinds).toEqual(expect.arrayContaining([...model.kinds.map(({ name }) => name), 'managed_by', 'moved']))
  const members = await editor.complete(`${head}${shop}    |`)
  expect(members).toEqual(expect.arrayContaining(['interval', 'group_id', 'parent_ids', 'tags', 'adopt']))
  expect(members).not.toContain('name')
  const settings = await editor.complete(`${head}${shop}    extended_settings:\n      |`)
  expect(settings).toContain('timeout')
  expect(settings).not.toContain('interval')
})

test('an editor offers the values of an enumeration', async () => {
  const types = await editor.complete(`${head}version: 1\nservices:\n  shop:\n    type_id: |`)
  expect(types).toEqual(expect.arrayContaining(['http', 'https', 'ping', 'heartbeat']))
})

test('an editor says what a member is', async () => {
  const told = await editor.hover(`${head}${shop}    inter|val: 60\n`)
  expect(told).toContain(String(model.kinds.find(({ name }) => name === 'services')?.members['interval']?.about))
})

test.each([
  ['a wrong key', '    colour: red\n', 6, /colour/],
  ['a wrong kind', 'servers: {}\n', 6, /servers/],
  ['a wrong type', '    interval: often\n', 6, /integer/],
  ['a setting of another type', '    extended_settings:\n      query_text: x\n', 7, /query_text/],
])('an editor marks %s at its line', async (_what, more, line, message) => {
  const found = await editor.open(`${head}${shop}${more}`)
  // The line of the schema comes before the text.
  expect(found.map((one) => one.line)).toEqual([line + 1])
  expect(found[0]?.message).toMatch(message)
})
