import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unknownVariables } from './cross-checks.ts'

const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0
if (!hasDpkg) process.stdout.write('test/deploy/debian: there is no dpkg-deb here, so the package is not built\n')

const scripts = ['postinst', 'prerm', 'postrm', 'latarnik']
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latarnik-deb-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(scripts)('%s is a right shell script', (name) => {
  const { status, stderr } = spawnSync('sh', ['-n', `deploy/debian/${name}`], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test.each(['latarnik.conf', 'sensor.conf'])('%s names variables that there are, and allows nothing private', (name) => {
  const lines = readFileSync(`deploy/debian/${name}`, 'utf8').split('\n')
  const named = lines.flatMap((line) => /^#?([A-Z][A-Z_]+)=/.exec(line)?.[1] ?? [])
  expect(named.length).toBeGreaterThan(1)
  expect(unknownVariables(named)).toEqual([])
  expect(lines.filter((line) => /^[A-Z]/.test(line))).toEqual(
    name === 'latarnik.conf' ? ['ALLOW_PRIVATE_TARGETS='] : [],
  )
})

/** The package, unpacked; its packages of npm are one that is empty. */
function build(): string {
  const modules = join(folder, 'modules')
  mkdirSync(join(modules, 'nothing'), { recursive: true })
  writeFileSync(join(modules, 'nothing/package.json'), '{}')
  execFileSync('node', ['scripts/debian-package.mjs', folder, '--modules', modules])
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.deb'))
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
  expect(name).toBe(`latarnik_${version}_${process.arch === 'x64' ? 'amd64' : 'arm64'}.deb`)
  const root = join(folder, 'root')
  execFileSync('dpkg-deb', ['--raw-extract', join(folder, name), root])
  return root
}

test.runIf(hasDpkg)('the package holds the program, its services and settings that only its user reads', () => {
  const root = build()
  const modeOf = (path: string) => (statSync(join(root, path)).mode & 0o777).toString(8)
  expect(modeOf('etc/latarnik/latarnik.conf')).toBe('640')
  expect(['usr/bin/latarnik', 'DEBIAN/postinst', 'DEBIAN/prerm', 'DEBIAN/postrm'].map(modeOf)).toEqual(
    Array.from({ length: 4 }, () => '755'),
  )
  const control = readFileSync(join(root, 'DEBIAN/control'), 'utf8')
  expect(control).not.toMatch(/@[A-Z]+@/)
  expect(control).toMatch(/^Installed-Size: [1-9]\d+$/m)
  for (const line of readFileSync(join(root, 'DEBIAN/conffiles'), 'utf8').trim().split('\n')) {
    expect({ line, isThere: existsSync(join(root, line)) }).toEqual({ line, isThere: true })
  }
  for (const unit of ['latarnik', 'latarnik-sensor']) {
    const text = readFileSync(join(root, `usr/lib/systemd/system/${unit}.service`), 'utf8')
    const program = /^ExecStart=\/usr\/bin\/node (\S+)/m.exec(text)?.[1] ?? ''
    expect(existsSync(join(root, program))).toBe(true)
    expect(text).toMatch(/^EnvironmentFile=-\/etc\/latarnik\/(latarnik|sensor)\.conf$/m)
  }
  expect(existsSync(join(root, 'opt/latarnik/node_modules/nothing/package.json'))).toBe(true)
})
