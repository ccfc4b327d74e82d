// The browser that npm carries, as package.json, the lock file and the registry have it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findCarriedBrowser } from '../../src/sensor/browser/carried.ts'

const name = '@sparticuz/chromium'
const lockText = readFileSync('package-lock.json', 'utf8')
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
const { packages } = JSON.parse(lockText) as { packages: Record<string, Readonly<Record<string, unknown>>> }
/** Written by scripts/complete-lock.mjs, together with the lock file. */
const record = JSON.parse(readFileSync('scripts/newest-browser.json', 'utf8')) as Record<string, string>
const locked = packages[`node_modules/${name}`]

test('the lock file was completed, and the newest browser of the registry noted, after its last change', () => {
  const digest = createHash('sha256').update(lockText).digest('hex')
  expect(record['lock'], 'run `node scripts/complete-lock.mjs`, which asks the registry').toBe(digest)
})

test('the carried browser is the newest that the registry had then', () => {
  const advice = `run \`npm install --save-exact ${name}@${record['newest']}\`, then \`node scripts/complete-lock.mjs\``
  expect(record['package']).toBe(name)
  expect([dependencies[name], locked?.['version']], advice).toEqual([record['newest'], record['newest']])
})

test('it is installed whatever its own scripts want of Node.js', () => {
  expect(locked).toBeDefined()
  expect(locked?.['engines']).toBeUndefined()
  expect(locked?.['optional']).toBeUndefined()
})

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'it is found where npm has put it (Linux on x64 alone: the package has no other)',
  () => {
    expect(findCarriedBrowser()?.version).toBe(dependencies[name])
  },
)
