import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { type Assets, documentOf, notFoundDocument, type Site } from './layout.ts'
import { pageOf } from './markdown.ts'
import type { OpenApi } from './openapi.ts'
import { addressOf, readSources } from './pages.ts'
import { referencePages } from './reference.ts'
import { searchIndex } from './search-index.ts'

export interface SiteOptions {
  /** The repository. */
  readonly root: string
  readonly out: string
  /** The path below which the site is served. Only the page of unknown addresses needs it. */
  readonly base: string
  readonly build: typeof import('esbuild').build
}

/** Files by their address below the root of the site. */
type Files = Map<string, string | Buffer>

function named(name: string, content: string | Uint8Array): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
  return `assets/${name.replace('.', `-${hash}.`)}`
}

/** The script and the style, named by their content. */
async function addAssets({ root, build }: SiteOptions, files: Files): Promise<Assets> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['web/documents/documents.ts', 'web/documents/documents.css'],
    outdir: 'dist',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'safari16', 'firefox115'],
    tsconfig: 'web/tsconfig.json',
    legalComments: 'none',
    logLevel: 'warning',
  })
  const keep = (name: string, content: string | Uint8Array) => {
    const address = named(name, content)
    files.set(address, Buffer.from(content))
    return address
  }
  const built = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.contents ?? ''
  return {
    script: keep('documents.js', built('.js')),
    style: keep('documents.css', built('.css')),
    icon: keep('icon.svg', readFileSync(join(root, 'web/icon.svg'))),
  }
}

/** All pages of the repository and of its API, and the files that they need. */
export function readSite(root: string): { readonly pages: Site['pages']; readonly needed: ReadonlySet<string> } {
  const sources = readSources(root)
  const places = { root, sources: new Map(sources.map((source) => [source.file, source])), needed: new Set<string>() }
  const openApi = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as OpenApi
  const pages = [...sources.map((source) => pageOf(source, places)), ...referencePages(openApi)]
  return { pages, needed: places.needed }
}

/** With gzip alone: every browser takes it, also without TLS, and the npm package holds each page twice already. */
async function writeCompressed(file: string, content: string | Buffer): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  if (!/\.(html|js|css|json|svg)$/.test(file)) return
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }))
}

/** Writes the site, each file also compressed. Returns the number of its pages. */
export async function buildSite(options: SiteOptions): Promise<number> {
  const { root, out, base } = options
  const { pages, needed } = readSite(root)
  const files: Files = new Map()
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const site: Site = { pages, version, assets: await addAssets(options, files) }
  for (const page of pages) files.set(addressOf(page), documentOf(page, site))
  for (const language of ['en', 'pl'] as const) files.set(`search-${language}.json`, searchIndex(pages, language))
  files.set('404.html', notFoundDocument(site, base))
  for (const file of needed) files.set(file.replace(/^docs\//, ''), readFileSync(join(root, file)))
  rmSync(out, { recursive: true, force: true })
  await Promise.all([...files].map(([address, content]) => writeCompressed(join(out, address), content)))
  return pages.length
}
