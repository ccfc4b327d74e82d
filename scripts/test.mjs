// Runs the tests; arguments go to vitest. `--changed` runs only the files that the changes against main reach.
// TEST_POSTGRES=/usr/lib/postgresql/15/bin runs them on another PostgreSQL, TEST_DATABASE_URL on a running one.
import { spawn, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

function runner() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    process.stderr.write('latarnik: The packages that the tests need are not installed: run npm ci first.\n')
    process.exit(1)
  }
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** The commit at which this branch left main; undefined without git or main. */
function leftMain() {
  for (const name of ['main', 'origin/main']) {
    const commit = git('merge-base', 'HEAD', name)
    if (commit !== undefined) return commit
  }
  return undefined
}

/** Without main, `--changed` stays as it is: vitest then takes what is not committed. */
function sinceMain(given) {
  const commit = given.includes('--changed') ? leftMain() : undefined
  if (commit === undefined) return given
  const changed = `${git('diff', '--name-only', commit)}\n${git('ls-files', '--others', '--exclude-standard')}`
  if (/^(src|web)\//m.test(changed)) {
    console.log(
      'Tests that start the built program do not import the changed files. Name their folders to run them, too.',
    )
  }
  return given.map((one) => (one === '--changed' ? `--changed=${commit}` : one))
}

/**
 * Three files on two cores: about half of their time is waiting, for timers, children and the database. A file with a
 * browser takes 1.5 GB.
 */
const workers = Math.max(1, Math.min(Math.ceil(1.5 * availableParallelism()), Math.floor(totalmem() / 1.5e9)))

const given = sinceMain(process.argv.slice(2))
const chosen = given.some((one) => one.startsWith('--maxWorkers')) ? [] : [`--maxWorkers=${workers}`]
/** A named file or a wanted change runs whole; a run of everything leaves the dearest to the choice of the commit. */
const isWhole = given.length === 0 && process.env.CONSOLE_TRIED !== 'long'
const child = spawn(process.execPath, [runner(), 'run', ...chosen, ...given], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(isWhole ? { TEST_CHOICE: 'commit' } : {}) },
})
// The terminal sends Ctrl-C to both; only the child's own end counts, so that its server is stopped first.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => process.exit(code ?? 1))
