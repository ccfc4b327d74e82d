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
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = [
  'test/notifications/notifier-child.ts',
  'test/reports/reporter-child.ts',
  'test/support/kept-results-process.ts',
  'test/support/launch-database.ts',
  'test/support/monitoring-process.ts',
  'test/support/putting-process.ts',
]
/** Of the bundle: where what has children of its own finds them beside itself. */
const beside = ['database', 'reports', 'sensor']

/** Below the installed packages, where they are found. */
async function buildOwn(): Promise<string> {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'latarnik-tests-'))
  // Some of them run as another user.
  await chmod(folder, 0o755)
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
  for (const name of beside) await symlink(join(root, 'dist', name), join(folder, name))
  return folder
}

interface Built {
  users: number
  readonly folder: Promise<string>
}

/** Each project loads this file anew; what they share is kept with the process. */
const shared = globalThis as typeof globalThis & { latarnikTestPrograms?: Built }

function makeAll(): Built {
  execFileSync(process.execPath, ['scripts/build.mjs'])
  return { users: 0, folder: buildOwn() }
}

/**
 * Some tests run the program as `npm start` does; what others start as processes of their own is built too, since loading
 * sources takes three times as long. Once for the whole run: two builds at a time would disturb each other.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.latarnikTestPrograms ??= makeAll()
  const built = shared.latarnikTestPrograms
  built.users += 1
  const folder = await built.folder
  project.provide('ownPrograms', folder)
  // Whoever watches changes sources after this.
  if (!project.config.watch) process.env['BUNDLE_OF_SOURCES'] = join(root, 'dist')
  return async () => {
    built.users -= 1
    if (built.users > 0) return
    delete shared.latarnikTestPrograms
    await rm(folder, { recursive: true })
  }
}
