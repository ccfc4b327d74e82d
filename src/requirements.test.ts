import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { missingPackage, nodeRefusal } from './requirements.ts'

test.each(['16.20.2', '18.20.8', '20.0.0', '20.18.3'])('Node.js %s is refused with what to do', (version) => {
  expect(nodeRefusal(version)).toBe(`latarnik: Node.js ${version} is too old; it needs 20.19 or newer.`)
})

test.each(['20.19.0', '20.20.2', '22.0.0', '24.11.1'])('Node.js %s will do', (version) => {
  expect(nodeRefusal(version)).toBeNull()
})

test.each([
  ["Cannot find package 'pino' imported from x", 'latarnik: The package pino is not installed: run npm ci first.'],
  ["Cannot find module './x.ts' imported from y", null],
])('%j', (message, told) => {
  expect(missingPackage(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' }))).toBe(told)
  expect(missingPackage(new Error(message))).toBeNull()
})

test('the package asks for the same', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
  expect(engines.node).toBe('>=20.19')
})
