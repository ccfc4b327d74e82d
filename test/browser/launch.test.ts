import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { launchBrowser, launchText } from '../../src/sensor/browser/launch.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latarnik-launch-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** The arguments with which a browser would start, in the order in which it reads them. */
async function argumentsOf(isSandboxed: boolean, sharedMemory = '/nowhere'): Promise<string[]> {
  const path = join(directory, 'browser')
  const told = join(directory, 'arguments')
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${told}'\n`)
  chmodSync(path, 0o755)
  await expect(launchBrowser({ program: { path, environment: {} }, isSandboxed, sharedMemory })).rejects.toThrow()
  return readFileSync(told, 'utf8').split('\n')
}

test.skipIf(process.platform === 'win32')(
  'the last list of features turned off has all that the driver turns off',
  async () => {
    const lists = (await argumentsOf(true))
      .filter((one) => one.startsWith('--disable-features='))
      .map((one) => one.slice('--disable-features='.length).split(','))
    expect(lists.length).toBeGreaterThan(1)
    expect(lists.at(-1)).toEqual(expect.arrayContaining(lists.flat()))
    expect(lists.at(-1)).toContain('SpareRendererForSitePerProcess')
  },
)

test.skipIf(process.platform === 'win32')('the sandbox is left out only where that was said', async () => {
  expect(await argumentsOf(true)).not.toContain('--no-sandbox')
  expect(await argumentsOf(false)).toContain('--no-sandbox')
})

test.skipIf(process.platform === 'win32')(
  'memory is shared by files where the system has too little for it',
  async () => {
    expect(await argumentsOf(true)).toContain('--disable-dev-shm-usage')
    // Wherever the tests run, the temporary directory has room.
    expect(await argumentsOf(true, directory)).not.toContain('--disable-dev-shm-usage')
  },
)

test('why a browser did not start is told in its gravest words, once, with what to do about a sandbox', () => {
  const report = [
    'browserType.launch: Target page, context or browser has been closed',
    'Browser logs:',
    '  - [pid=7][err] [FATAL:setuid_sandbox_host.cc:166] The SUID sandbox helper binary is not configured correctly.',
    '[pid=7][err] [FATAL:setuid_sandbox_host.cc:166] The SUID sandbox helper binary is not configured correctly.',
    '[pid=7][err] [ERROR:file_io_posix.cc:145] open /sys/devices: No such file or directory',
  ].join('\n')
  expect(launchText(report)).toBe(
    'browserType.launch: Target page, context or browser has been closed · [pid=7][err] [FATAL:setuid_sandbox_host.cc:166] The SUID sandbox helper binary is not configured correctly. · see CHROMIUM_SANDBOX',
  )
  expect(launchText('closed\n[ERROR:a] one')).toBe('closed · [ERROR:a] one')
})
