import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import { ownProgram } from '../support/own-program.ts'

/** Puts until so many artifacts are safe, then dies as by `kill -9`. Returns their keys. */
async function putAndDie(directory: string, count: number): Promise<string[]> {
  const child = spawn(process.execPath, [ownProgram('putting-process'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const keys: string[] = []
  for await (const key of createInterface(child.stdout)) {
    keys.push(key)
    if (keys.length === count) child.kill('SIGKILL')
  }
  await exited
  return keys
}

test('whoever is killed while putting leaves whole files and drafts that nobody sees', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-killed-'))
  try {
    const store = diskArtifacts(directory)
    for (const count of [3, 7, 12]) {
      const safe = await putAndDie(directory, count)
      expect(safe.length).toBeGreaterThanOrEqual(count)
      const entries = await readdir(join(directory, '20261121'), { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      for (const path of files) {
        const bytes = gunzipSync(await readFile(path))
        expect(basename(path, '.gz')).toBe(createHash('sha256').update(bytes).digest('hex'))
      }
      const kept = new Set(files.map((path) => basename(path, '.gz')))
      expect(safe.filter((key) => !kept.has(basename(key)))).toEqual([])
    }
    const drafts = (await readdir(join(directory, 'drafts'))).length
    expect(await store.removeLeftovers(Number.MAX_SAFE_INTEGER)).toBe(drafts)
    expect(await readdir(join(directory, 'drafts'))).toEqual([])
  } finally {
    await rm(directory, { recursive: true })
  }
})
