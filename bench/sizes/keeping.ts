/** A report of a month of the account, and a backup of everything. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import type { DumpProgress } from '../../src/database/dump/progress.ts'
import { writeDump } from '../../src/database/dump/write.ts'
import type { ReportOrder } from '../../src/database/reports/reports.ts'
import { reportSectionIds } from '../../src/domain/dictionaries.ts'
import { wholeScope } from '../../src/domain/reports/report-scope.ts'
import { generate } from '../../src/reports/generate.ts'
import { username } from '../api/fill.ts'
import type { BenchDatabase } from '../support/bench-database.ts'
import type { Figure } from './figures.ts'

const month = 30 * 86_400_000
const silent: DumpProgress = { begin: () => {}, at: () => {}, done: () => {}, end: () => {} }

async function timed<Value>(work: () => Promise<Value>): Promise<{ seconds: number; value: Value }> {
  const startedAt = performance.now()
  const value = await work()
  return { seconds: (performance.now() - startedAt) / 1000, value }
}

function orderOf(ownerId: number, now: number): ReportOrder {
  return {
    ...{ id: 1, template_id: 1, owner_id: ownerId, name: 'November', description: '', email_addresses: [] },
    ...{ from_time: now - month, to_time: now, created_at: now, reporting_plan_id: null },
    ...{ section_ids: reportSectionIds, summary: 'enabled', archived_services: false, weekly_suspensions: [] },
    requested_scope: wholeScope({ services: { all: true } }),
  }
}

async function measureReport({ database }: BenchDatabase): Promise<Figure[]> {
  const [owner] = await database.query<{ id: number }>(sql`select id from accounts where username = ${username}`)
  const order = orderOf(owner?.id ?? 0, Date.now())
  const { seconds, value } = await timed(() => generate(database, order, async () => undefined))
  const megabytes = JSON.stringify(value).length / 1_048_576
  return [
    { name: 'a month’s report, data, s', value: seconds, grows: 'linear' },
    { name: '  its data, MB', value: megabytes, grows: 'linear' },
  ]
}

async function measureBackup({ url }: BenchDatabase): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-bench-backup-'))
  try {
    const signal = new AbortController().signal
    const common = { artifacts: diskArtifacts(join(directory, 'artifacts')), signal, progress: silent, now: Date.now() }
    const written = await timed(() =>
      writeDump({ ...common, file: join(directory, 'backup'), kind: 'backup', url, programVersion: 'bench' }),
    )
    return [
      { name: 'a backup, s', value: written.seconds, grows: 'linear' },
      { name: '  rows, millions', value: written.value.rows / 1e6, grows: 'linear' },
      { name: '  file, MB', value: written.value.bytes / 1_048_576, grows: 'linear' },
    ]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

export async function measureKeeping(bench: BenchDatabase): Promise<Figure[]> {
  return [...(await measureReport(bench)), ...(await measureBackup(bench))]
}
