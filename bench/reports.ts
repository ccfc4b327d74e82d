/**
 * A report of a month of many services with all sections: its data, and its document, made by the built program's own
 * process.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import type { Database } from '../src/database/connect.ts'
import type { ReportOrder } from '../src/database/reports/reports.ts'
import { reportSectionIds } from '../src/domain/dictionaries.ts'
import { wholeScope } from '../src/domain/reports/report-scope.ts'
import type { ReportDocument } from '../src/reports/document.ts'
import { generate } from '../src/reports/generate.ts'
import { monitoredDatabase } from './support/monitored-database.ts'

const services = 1000
const [fromAt, toAt] = [Date.UTC(2026, 9, 31, 23), Date.UTC(2026, 10, 30, 23)]
const few = 24
const targets = { json: 3000, pdf: 5000, megabytes: 400, few: 1000 }

/** Seven hundred and twenty hours and twenty periods of each service. */
async function seed(database: Database): Promise<void> {
  await database.execute(sql`update services set created_at = ${new Date(fromAt)}`)
  await database.execute(sql`
    insert into hourly_performance (service_id, hour, response_time_sum, ok_checks, error_checks, unknown_checks,
      timed_checks, response_time_minimum, response_time_maximum)
    select id, ${fromAt / 3_600_000}::int + hour, 5400 + hour, 18, 0, 0, 18, 200, 900
    from services, generate_series(0, 719) as hour`)
  await database.execute(sql`delete from status_changes`)
  await database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time)
    select id, place, case place % 2 when 0 then 'ok' else 'failure' end,
      ${new Date(fromAt)}::timestamptz + place * interval '36 hours',
      case when place < 19 then ${new Date(fromAt)}::timestamptz + (place + 1) * interval '36 hours' end
    from services, generate_series(0, 19) as place`)
  await database.execute(sql`analyze`)
}

function orderOf(ownerId: number): ReportOrder {
  return {
    ...{ id: 1, template_id: 1, owner_id: ownerId, name: 'Listopad', description: '', email_addresses: [] },
    ...{ from_time: fromAt, to_time: toAt, created_at: toAt, reporting_plan_id: null },
    ...{ section_ids: reportSectionIds, summary: 'enabled', archived_services: false, weekly_suspensions: [] },
    requested_scope: wholeScope({ services: { all: true } }),
  }
}

const renderer = fileURLToPath(new URL('../dist/reports/rendering/process.js', import.meta.url))
/** Kilobytes that the process took at most, as it ends. */
const tellMemory = 'data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS))'

async function render(document: ReportDocument) {
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', tellMemory, renderer], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(JSON.stringify(document))
  const [pdf, told] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')])
  return { milliseconds: Math.round(performance.now() - started), megabytes: Number(told) / 1e3, pdf }
}

export async function run(): Promise<void> {
  const bench = await monitoredDatabase(services, 600)
  try {
    await seed(bench.database)
    const [owner] = await bench.database.query<{ owner_id: number }>(sql`select owner_id from services limit 1`)
    const started = performance.now()
    const document = await generate(bench.database, orderOf(owner?.owner_id ?? 0), async () => undefined)
    const generated = Math.round(performance.now() - started)
    if (document === null) throw new Error('There is nothing to report on.')
    const million = (bytes: number) => (bytes / 1e6).toFixed(1)
    console.log(`reports, ${services} services × 1 month, all sections:`)
    console.log(`  data ${generated} ms (target ${targets.json}), ${million(JSON.stringify(document).length)} MB`)
    const whole = await render(document)
    console.log(
      `  document ${whole.milliseconds} ms (target ${targets.pdf}), ${Math.round(whole.megabytes)} MB of memory (target ${targets.megabytes}), ${million(whole.pdf.length)} MB`,
    )
    const part = await render({ ...document, results: document.results.filter(isService).slice(0, few) })
    console.log(`  document of ${few} services ${part.milliseconds} ms (target ${targets.few})`)
  } finally {
    await bench.close()
  }
}

function isService({ scope }: ReportDocument['results'][number]): boolean {
  return scope.type === 'service'
}
