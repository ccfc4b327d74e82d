import { connect } from '../../src/database/connect.ts'
import { render } from '../../src/reports/render.ts'
import { startReporter } from '../../src/reports/start.ts'
import type { ChildSettings } from './reporter-process.ts'

const { databaseUrl, now, diesBetween } = JSON.parse(process.argv[2] ?? '{}') as ChildSettings
const silent = () => undefined

await startReporter({
  database: connect({ url: databaseUrl }),
  clock: { now: () => now },
  render,
  log: {
    info(facts) {
      if (diesBetween && 'phase' in facts && facts.phase === 'generating') process.kill(process.pid, 'SIGKILL')
    },
    warn: silent,
    error: silent,
  },
})
// A child whose test has gone must not outlive it.
setTimeout(() => process.exit(1), 60_000)
