// Checks everything that needs no running program: format, lint, types, purity of the rules, imports and sizes, unused
// code, the English of comments, and generated documents. All run at once, in seconds; only failures are shown.
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const checks = {
  'format and lint': 'biome check .',
  types: 'tsc -p .',
  'types of the console': 'tsc -p web',
  'purity of src/domain': 'tsc -p src/domain --noEmit',
  architecture: 'vitest run test/architecture.test.ts test/documents.test.ts',
  'unused code': 'knip',
  'plain English in comments': 'tsx scripts/plain-english.ts',
  'documents that follow from the code': 'tsx scripts/documents.ts --check',
}

const root = fileURLToPath(new URL('..', import.meta.url))
const environment = { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}`, FORCE_COLOR: '1' }

function run([name, command]) {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const child = spawn(command, { cwd: root, env: environment, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('close', (code) => {
      resolve({
        name,
        failed: code !== 0,
        output: Buffer.concat(output),
        seconds: (performance.now() - startedAt) / 1000,
      })
    })
  })
}

const startedAt = performance.now()
const waiting = Object.entries(checks)
const outcomes = []
async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) outcomes.push(await run(next))
}
await Promise.all(Array.from({ length: Math.max(2, cpus().length) }, work))

const failed = outcomes.filter((outcome) => outcome.failed)
for (const outcome of failed) console.log(`\n── ${outcome.name} ──\n${outcome.output.toString().trim()}`)
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
const names = failed.map((outcome) => outcome.name).join(', ')
console.log(failed.length === 0 ? `verified in ${seconds} s` : `\nnot right: ${names} (${seconds} s)`)
process.exitCode = failed.length === 0 ? 0 : 1
