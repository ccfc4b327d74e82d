import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('tests that are run before anything is installed say in one line what to do', () => {
  const clone = mkdtempSync(join(tmpdir(), 'latarnik-uninstalled-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  mkdirSync(join(clone, 'scripts'))
  cpSync('scripts/test.mjs', join(clone, 'scripts/test.mjs'))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test.mjs'], { cwd: clone, encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'latarnik: The packages that the tests need are not installed: run npm ci first.\n',
  })
})
