import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consoleNotices, licenceFaults, shippedPackages } from '../../scripts/shipped-packages.mjs'

const packages = shippedPackages()
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }

test('every package that users get has a licence that is allowed', () => {
  expect(packages.length).toBeGreaterThan(Object.keys(dependencies).length)
  expect(licenceFaults(packages)).toEqual([])
})

test.each([
  ['GPL-3.0-only', 'a@1 has the licence GPL-3.0-only, which is not allowed.'],
  ['MIT AND AGPL-3.0', 'a@1 has the licence MIT AND AGPL-3.0, which is not allowed.'],
  ['SEE LICENSE IN FILE', 'a@1 has the licence SEE LICENSE IN FILE, which is not allowed.'],
  [undefined, 'a@1 has the licence (none), which is not allowed.'],
  ['(MIT OR GPL-2.0)', null],
  ['MIT AND ISC', null],
])('the licence %s: %s', (licence, fault) => {
  expect(licenceFaults([{ name: 'a', version: '1', licence }])).toEqual(fault === null ? [] : [fault])
})

test('packages for work on the program are not listed, those within the console are', () => {
  const locked = {
    '': {},
    'node_modules/installed': { version: '1', license: 'MIT' },
    'node_modules/react': { version: '2', license: 'MIT', dev: true },
    'node_modules/wouter': { version: '3', license: 'MIT', dev: true, dependencies: { below: '4' } },
    'node_modules/below': { version: '4', license: 'GPL-2.0', dev: true },
    'node_modules/vitest': { version: '5', license: 'MIT', dev: true },
  }
  const names = shippedPackages(locked).map(({ name, inConsole }) => [name, inConsole])
  expect(names).toEqual([
    ['below', true],
    ['installed', false],
    ['react', true],
    ['wouter', true],
  ])
})

test('the built console carries the notices of its packages', () => {
  const notices = readFileSync('dist/console/licences.txt', 'utf8')
  expect(notices).toBe(consoleNotices())
  const inConsole = packages.filter((one) => one.inConsole)
  expect(inConsole.map(({ name }) => name)).toEqual(expect.arrayContaining(['react', 'scheduler', 'wouter']))
  for (const { name, version } of inConsole) expect(notices).toContain(`${name} ${version} (`)
  expect(notices).toContain('Copyright (c) Meta Platforms')
})

test('the bill of materials lists what is shipped and nothing else', () => {
  const text = execFileSync(process.execPath, ['scripts/sbom.mjs'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  const bill = JSON.parse(text) as {
    readonly bomFormat: string
    readonly metadata: { readonly component: { readonly name: string; readonly type: string } }
    readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string }[]
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
  }
  expect(bill.bomFormat).toBe('CycloneDX')
  expect(bill.metadata.component).toMatchObject({ name: 'latarnik', type: 'application' })
  const named = (all: readonly { readonly name: string; readonly version: string }[]) => [
    ...new Set(all.map(({ name, version }) => `${name}@${version}`)),
  ]
  expect(named(bill.components).toSorted()).toEqual(named(packages).toSorted())
  expect(bill.components.filter(({ purl }) => !purl.startsWith('pkg:npm/'))).toEqual([])
  const known = new Set(named(packages))
  expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([])
})
