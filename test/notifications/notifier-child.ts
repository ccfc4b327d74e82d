import { connect } from '../../src/database/connect.ts'
import { startNotifier } from '../../src/notifications/start.ts'
import type { ChildSettings } from './notifier-process.ts'

const { databaseUrl, smtpUrl, now } = JSON.parse(process.argv[2] ?? '{}') as ChildSettings
const silent = () => undefined

await startNotifier({
  database: connect({ url: databaseUrl }),
  clock: { now: () => now },
  log: { info: silent, warn: (_facts, text) => void process.send?.(text), error: silent },
  publicUrl: 'https://watch.example.com',
  mail: { smtpUrl, from: 'Latarnik <latarnik@example.com>', outboxDirectory: '' },
  diagnose: () => null,
})
// A child whose test has gone must not outlive it.
setTimeout(() => process.exit(1), 25_000)
