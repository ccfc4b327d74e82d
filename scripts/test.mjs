// Runs the tests; arguments go to vitest. TEST_POSTGRES=/usr/lib/postgresql/15/bin runs them on another PostgreSQL,
// TEST_DATABASE_URL on a running one.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

function runner() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    process.stderr.write('latarnik: The packages that the tests need are not installed: run npm ci first.\n')
    process.exit(1)
  }
}

const child = spawn(process.execPath, [runner(), 'run', ...process.argv.slice(2)], {
  cwd: new URL('..', import.meta.url).pathname,
  stdio: 'inherit',
})
// The terminal sends Ctrl-C to both; only the child's own end counts, so that its server is stopped first.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => process.exit(code ?? 1))
