// Writes docs/openapi.json from the declarations, without a database; --check only tells whether the file is what they say.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { interfaceDescription } from '../src/interface-description.ts'

const file = fileURLToPath(new URL('../docs/openapi.json', import.meta.url))
const described = `${JSON.stringify(interfaceDescription(), null, 2)}\n`

function written(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

if (!process.argv.includes('--check')) {
  writeFileSync(file, described)
} else if (written() !== described) {
  console.error('docs/openapi.json is not what the declarations say: run `npm run openapi` and commit it.')
  process.exitCode = 1
}
