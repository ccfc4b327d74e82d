import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** As strict as the compiler can be. */
export const strictOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  noImplicitReturns: true,
  types: [],
  outDir: 'out',
  rootDir: '.',
}

/** Compiles a folder with a `tsconfig.json`; returns the compiler's complaints. */
export function compile(directory: string): Promise<string> {
  const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', directory], { timeout: 120_000 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}
