import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languageIds } from '../domain/dictionaries.ts'
import { interfaceDescription } from './interface-description.ts'

// Run by the build: writes the OpenAPI document in each language below the given folder. Making it in the program would
// block it for a quarter of a second per language.
const [, , folder = ''] = process.argv
mkdirSync(folder, { recursive: true })
for (const language of languageIds) {
  writeFileSync(join(folder, `${language}.json`), JSON.stringify(interfaceDescription(language)))
}
