// The long form of the tests, run at the end of an issue: everything lasts as long as an operator would call long, then
// a bare machine.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const long = {
  ...{
    DISASTERS: 'long',
    STARVED_BROWSER: 'long',
    HOSTILE_CHECKS: '300',
    CRASH_KILLS: '50',
    CONSOLE_TRIED: 'long',
    FUZZ_REQUESTS: '20000',
  },
  ...{ SIMULATION_DAYS: '90', SIMULATION_SERVICES: '200' },
}

function run(script, variables = {}) {
  const path = fileURLToPath(new URL(script, import.meta.url))
  return spawnSync(process.execPath, [path], { stdio: 'inherit', env: { ...process.env, ...variables } }).status === 0
}

const outcomes = [run('test.mjs', long), run('bare-machine.mjs')]
process.exitCode = outcomes.every(Boolean) ? 0 : 1
