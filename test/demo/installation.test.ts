import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoConfig } from '../../src/demo/demo-config.ts'
import { newNote, readNote, removeDemo, writeNote } from '../../src/demo/installation.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latarnik-demo-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('what a run wrote down the next one reads; nobody else may', async () => {
  expect(await readNote(directory)).toBeNull()
  const note = newNote(Date.now())
  await writeNote(directory, note)
  expect(await readNote(directory)).toEqual(note)
  expect(statSync(join(directory, 'demo.json')).mode & 0o777).toBe(0o600)
})

test('a directory of something else is neither used nor removed', async () => {
  writeFileSync(join(directory, 'PG_VERSION'), '18')
  await expect(readNote(directory)).rejects.toThrow('holds something else than the demo')
  await expect(removeDemo(directory)).rejects.toThrow('is not removed')
  expect(existsSync(join(directory, 'PG_VERSION'))).toBe(true)
})

test('a demo is removed whole', async () => {
  await writeNote(directory, newNote(Date.now()))
  await removeDemo(directory)
  expect(existsSync(directory)).toBe(false)
})

test('an environment made ready for a real installation reaches nothing of it', () => {
  const outcome = demoConfig(
    {
      ...{ DATABASE_URL: 'postgres://db.example/latarnik', S3_BUCKET: 'evidence', SMTP_URL: 'smtp://mail.example' },
      ...{ DATA_DIR: '/var/lib/latarnik', LATARNIK_CONFIG: '/etc/latarnik.conf', PORT: '8123' },
    },
    directory,
  )
  expect(outcome).toMatchObject({
    config: {
      databaseUrl: undefined,
      port: 8123,
      dataDirectory: directory,
      artifacts: { directory: join(directory, 'artifacts') },
    },
  })
  expect('config' in outcome && outcome.config.mail.smtpUrl).toBeUndefined()
})
