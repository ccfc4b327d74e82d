import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Config, readConfig } from '../../src/config/config.ts'

const directory = mkdtempSync(join(tmpdir(), 'latarnik-config-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** A file with the content, for as long as the tests of one file run. Returns its path. */
export function fileOf(content: string): string {
  const path = join(directory, `${Math.random()}.conf`)
  writeFileSync(path, content)
  return path
}

export function configOf(environment: Record<string, string>): Config {
  const outcome = readConfig(environment)
  if ('faults' in outcome) throw new Error(outcome.faults.join('\n'))
  return outcome.config
}

export function faultsOf(environment: Record<string, string>): readonly string[] {
  const outcome = readConfig(environment)
  return 'faults' in outcome ? outcome.faults : []
}
