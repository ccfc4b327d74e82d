// Bundles the console of web/ into dist/console/: files named by their content, compressed in advance, and a list of
// the first ones.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { consoleNotices, shippedPackages } from './shipped-packages.mjs'

const root = new URL('..', import.meta.url).pathname
const out = join(root, 'dist/console')

/** Pages load these before anything else: the script, what it imports at once, its style, the icon. */
function firstFiles({ outputs }) {
  const named = Object.entries(outputs)
  const [script, { imports, cssBundle }] = named.find(([, { entryPoint }]) => entryPoint === 'web/main.tsx')
  const [passkeyLogin] = named.find(([, { entryPoint }]) => entryPoint === 'web/login/passkey-login.ts')
  const [icon] = named.find(([path]) => path.endsWith('.svg'))
  const preloaded = new Set()
  const follow = (files) => {
    for (const { path, kind } of files) {
      if (kind !== 'import-statement' || preloaded.has(path)) continue
      preloaded.add(path)
      follow(outputs[path]?.imports ?? [])
    }
  }
  follow(imports)
  const [scriptName, styleName, iconName, passkeyName] = [script, cssBundle, icon, passkeyLogin].map((path) =>
    basename(path),
  )
  return {
    script: scriptName,
    style: styleName,
    icon: iconName,
    passkeyLogin: passkeyName,
    preloaded: [...preloaded].map((path) => basename(path)),
  }
}

/** Beside each file what browsers take instead: sent as it lies there. */
async function compressAll() {
  const compressible = readdirSync(out).filter((name) => /\.(js|css|svg)$/.test(name))
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
  await Promise.all(
    compressible.map(async (name) => {
      const content = readFileSync(join(out, name))
      const [br, gz] = await Promise.all([promisify(brotliCompress)(content, options), promisify(gzip)(content)])
      writeFileSync(join(out, `${name}.br`), br)
      writeFileSync(join(out, `${name}.gz`), gz)
    }),
  )
}

/** `import address from './x.css?alone'`: a file of its own, which the screen that needs it loads. */
const stylesAlone = {
  name: 'styles-alone',
  setup(building) {
    building.onLoad({ filter: /\.css$/ }, async ({ path, suffix }) => {
      if (suffix !== '?alone') return undefined
      const options = { loader: 'css', minify: true, target: building.initialOptions.target }
      const { code } = await building.esbuild.transform(readFileSync(path, 'utf8'), options)
      return { contents: code, loader: 'file' }
    })
  },
}

/** The notices are made from the lock file; a package that only the bundle has would have none. */
function refuseUnlisted({ inputs }) {
  const listed = shippedPackages().filter(({ inConsole }) => inConsole)
  const unlisted = Object.keys(inputs).filter(
    (path) => path.startsWith('node_modules/') && !listed.some((one) => path.startsWith(`${one.path}/`)),
  )
  if (unlisted.length > 0) throw new Error(`These files of the console have no licence notice: ${unlisted.join(', ')}`)
}

/** @param {typeof import('esbuild').build} build */
export async function buildConsole(build) {
  const common = {
    absWorkingDir: root,
    outdir: 'dist/console',
    bundle: true,
    minify: true,
    platform: 'browser',
    target: ['es2022', 'safari16', 'firefox115'],
    tsconfig: 'web/tsconfig.json',
    legalComments: 'none',
    logLevel: 'warning',
  }
  const { metafile } = await build({
    ...common,
    entryPoints: { main: 'web/main.tsx', 'passkey-login': 'web/login/passkey-login.ts', icon: 'web/icon.svg' },
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    plugins: [stylesAlone],
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
  })
  // A browser knows it by its name for as long as it is subscribed.
  await build({
    ...common,
    entryPoints: { 'push-worker': 'web/push/push-worker.ts' },
    entryNames: '[name]',
    format: 'iife',
  })
  refuseUnlisted(metafile)
  writeFileSync(join(out, 'licences.txt'), consoleNotices())
  writeFileSync(join(out, 'first-files.json'), JSON.stringify(firstFiles(metafile)))
  await compressAll()
}
