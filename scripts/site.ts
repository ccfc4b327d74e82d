// Writes the documents as a site: `npm run site -- DIRECTORY [PATH]`. PATH is where the site will be served, `/` if
// nothing is said.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildSite } from './site/build-site.ts'

const [directory = 'site', base = '/'] = process.argv.slice(2)
const out = resolve(directory)
const startedAt = performance.now()
const count = await buildSite({ root: fileURLToPath(new URL('..', import.meta.url)), out, base, build })
process.stdout.write(`${count} pages in ${directory} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`)
