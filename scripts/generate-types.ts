import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const load = createRequire(import.meta.url)

/** The generator prints with the compiler's older interface, which the repository's compiler no longer has. */
const olderCompiler: Plugin = {
  name: 'older-compiler',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^typescript$/ }, () => ({ path: 'typescript', namespace: 'older' }))
    onLoad({ filter: /.*/, namespace: 'older' }, () => ({
      contents: `module.exports = require(${JSON.stringify(load.resolve('@ts-morph/common'))}).ts`,
      resolveDir: import.meta.dirname,
    }))
  },
}

interface Generator {
  default(document: unknown): Promise<unknown>
  astToString(tree: unknown): string
}

/** The types that openapi-typescript makes of an OpenAPI document, as TypeScript. */
export async function generateTypes(document: unknown, directory: string): Promise<string> {
  const outfile = join(directory, 'generator.mjs')
  await build({
    entryPoints: [load.resolve('openapi-typescript').replace(/\.cjs$/, '.mjs')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [olderCompiler],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url), __filename = import.meta.filename;",
    },
  })
  const { default: generate, astToString } = (await import(pathToFileURL(outfile).href)) as Generator
  return astToString(await generate(document))
}
