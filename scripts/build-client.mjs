// Bundles the client of the API into dist/client/, one file for browsers and Node.js, with its types beside it.
import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = new URL('..', import.meta.url).pathname
const out = join(root, 'dist/client')

/** @param {typeof import('esbuild').build} build */
export async function buildClient(build) {
  const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
  await Promise.all([
    build({
      absWorkingDir: root,
      entryPoints: ['client/client.ts'],
      outdir: 'dist/client',
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: ['es2022', 'node18', 'safari16', 'firefox115'],
      sourcemap: true,
      logLevel: 'warning',
    }),
    promisify(execFile)(process.execPath, [compiler, '-p', join(root, 'client')]).catch(({ stdout }) => {
      throw new Error(stdout)
    }),
  ])
  copyFileSync(join(root, 'client/schema.d.ts'), join(out, 'schema.d.ts'))
}
