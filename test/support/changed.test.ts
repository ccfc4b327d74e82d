import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from './launcher.ts'

let folder: TemporaryDirectory
beforeEach(async () => {
  folder = await temporaryDirectory()
  git('init', '--quiet', '--initial-branch=main')
  mkdirSync(join(folder.path, 'scripts'))
  copyFileSync('scripts/test.mjs', join(folder.path, 'scripts/test.mjs'))
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'))
  write('.gitignore', 'node_modules')
  write('vitest.config.ts', "export default { test: { include: ['**/*.test.ts'] } }")
  for (const name of ['apple', 'pear', 'plum']) {
    write(`src/${name}.ts`, `export const ${name} = 1`)
    write(
      `src/${name}.test.ts`,
      `import { expect, test } from 'vitest'\nimport { ${name} } from './${name}.ts'\ntest('${name}', () => expect(${name}).toBe(1))`,
    )
  }
  commit('Grow fruit')
})
afterEach(() => folder.remove())

function git(...args: readonly string[]): void {
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...author, ...args], { cwd: folder.path, stdio: 'ignore' })
}

function commit(message: string): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', message)
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder.path, path)), { recursive: true })
  writeFileSync(join(folder.path, path), `${content}\n`)
}

/** The names of the test files that `npm test -- --changed` ran. */
async function ran(): Promise<{ readonly code: unknown; readonly files: readonly string[]; readonly output: string }> {
  const child = spawn(process.execPath, ['scripts/test.mjs', '--changed'], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  })
  const ended = once(child, 'close')
  const [output, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  const files = [...`${output}${complaints}`.matchAll(/src\/(\w+)\.test\.ts/g)].map(([, name = '']) => name)
  return { code, files: [...new Set(files)].toSorted(), output }
}

test('on a branch, only the tests of what the branch changed run, committed or not', async () => {
  git('switch', '--quiet', '--create', 'branch')
  write('src/pear.ts', 'export const pear = 1 // ripe')
  commit('Ripen the pear')
  write('src/plum.ts', 'export const plum = 1 // ripe')
  const { code, files, output } = await ran()
  expect({ code, files }, output).toEqual({ code: 0, files: ['pear', 'plum'] })
  expect(output).toContain('Tests that start the built program')
})

test('a fault that the branch made fails the run', async () => {
  git('switch', '--quiet', '--create', 'branch')
  write('src/pear.ts', 'export const pear = 2')
  expect(await ran()).toMatchObject({ code: 1, files: ['pear'] })
})

test('without a change nothing runs, and that is no failure', async () => {
  const { code, files, output } = await ran()
  expect({ code, files }, output).toEqual({ code: 0, files: [] })
})
