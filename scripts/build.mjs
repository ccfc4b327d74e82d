// Bundles the program's own source into dist/, the console of web/ into dist/console/, and the client of the API
// into dist/client/; installed packages stay where they are. Does nothing if dist/ is newer than every source.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildClient } from './build-client.mjs'
import { buildConsole } from './build-console.mjs'

const root = new URL('..', import.meta.url).pathname
const entries = [
  'main',
  'cli',
  'program/write-interface',
  'sensor/process',
  'reports/rendering/process',
  'history/packed/process',
  'program/config-directory/process',
].filter((entry) => existsSync(join(root, 'src', `${entry}.ts`)))

/**
 * Packages whose used part is small are bundled: without comments, and with only what is imported. Loaded whole, they
 * take 20 MB of each process until its end. They stay installed, with their licences.
 */
const bundledPackages = /^(json-p3|re2js|temporal-polyfill|tldts|zod)$/
const otherPackagesStay = {
  name: 'other-packages-stay',
  setup(building) {
    building.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      const isBundled = kind === 'entry-point' || bundledPackages.test(path) || importer.includes('/node_modules/')
      return isBundled ? undefined : { path, external: true }
    })
  },
}

function newest(folder) {
  return Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs
    }),
  )
}

/** Packages for work on the program may be left out (`npm ci --omit=dev`): then what was built before serves. */
async function builder() {
  try {
    return (await import('esbuild')).build
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    if (process.env.npm_lifecycle_event === 'prepare') process.exit(0)
    process.stderr.write('latarnik: The packages that it is built with are not installed: run npm ci first.\n')
    process.exit(2)
  }
}

/** The documents as a site. Its generator is TypeScript, which Node.js does not run as it is. */
async function buildDocuments(build) {
  const generator = join(root, 'dist/site-generator.mjs')
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/site/build-site.ts'],
    outfile: generator,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  })
  const { buildSite } = await import(pathToFileURL(generator).href)
  await buildSite({ root, out: join(root, 'dist/docs'), base: '/docs/', build })
  rmSync(generator)
}

function filesBelow(folder, ending) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.path, entry.name))
}

/**
 * One character outside ASCII may make Node.js keep the whole text of a file in two bytes a character. The bundler
 * escapes such characters in strings, but not in templates and regular expressions, where the escape means the same.
 */
function escapeRareCharacters(folder) {
  for (const file of filesBelow(folder, '.js')) {
    const text = readFileSync(file, 'utf8')
    const escaped = text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    if (escaped !== text) writeFileSync(file, escaped)
  }
}

/** The maps keep our own sources; those of bundled packages are installed beside the program. */
function leaveOutSourcesOfPackages(folder) {
  for (const file of filesBelow(folder, '.js.map')) {
    const map = JSON.parse(readFileSync(file, 'utf8'))
    const contents = map.sourcesContent.map((text, index) => (/node_modules/.test(map.sources[index]) ? null : text))
    if (contents.includes(null)) writeFileSync(file, JSON.stringify({ ...map, sourcesContent: contents }))
  }
}

// Written last: a build that was interrupted is none.
const stamp = join(root, 'dist/built')
const sources = Math.max(
  ...['client', 'docs', 'scripts/site', 'src', 'web'].map((folder) => newest(join(root, folder))),
  statSync(join(root, 'package.json')).mtimeMs,
)
if (!existsSync(stamp) || statSync(stamp).mtimeMs < sources) {
  const build = await builder()
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [otherPackagesStay],
    sourcemap: true,
    // Node.js keeps the text of each loaded file in memory. Names and lines stay, so that a stack trace can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: 'none',
    chunkNames: 'chunks/[name]-[hash]',
    define: {
      'process.env.LATARNIK_VERSION': JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'))).version),
    },
    logLevel: 'warning',
  })
  escapeRareCharacters(join(root, 'dist'))
  leaveOutSourcesOfPackages(join(root, 'dist'))
  execFileSync(process.execPath, [join(root, 'dist/program/write-interface.js'), join(root, 'dist/interface')])
  const assets = join(root, 'src/rest/assets')
  if (existsSync(assets)) cpSync(assets, join(root, 'dist/assets'), { recursive: true })
  await Promise.all([buildConsole(build), buildClient(build), buildDocuments(build)])
  writeFileSync(stamp, '')
}
