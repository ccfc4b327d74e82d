import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Language } from '../wording/language.ts'

/**
 * The OpenAPI document that the build wrote, as JSON (write-interface.ts). Null: this is not a build but the sources,
 * whose document may have changed since.
 */
export async function readWrittenInterface(language: Language): Promise<string | null> {
  const here = import.meta.url
  if (here.endsWith('.ts')) return null
  // The bundle has chunks in a folder of their own.
  const paths = ['.', '..'].map((folder) => fileURLToPath(new URL(`${folder}/interface/${language}.json`, here)))
  const path = paths.find((one) => existsSync(one))
  return path === undefined ? null : readFile(path, 'utf8')
}
