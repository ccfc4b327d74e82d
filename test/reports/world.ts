import sql from 'sql-template-tag'
import { ensurePartitions } from '../../src/database/partitions.ts'
import type { State } from '../../src/domain/judging/status-change.ts'
import { type AnalysisRow, insertAnalyses } from '../../src/history/analyses.ts'
import { addToRollUps } from '../../src/history/roll-ups.ts'
import type { ReportDocument } from '../../src/reports/document.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'

/** Alice's shop and mail in one group, Charlie's secret elsewhere; a history that a test writes. */
export interface ReportWorld extends ApiWorld {
  readonly groupId: number
  readonly shop: number
  readonly mail: number
  readonly secret: number
  /** Analyses of one sensor; null: it could not try. Milliseconds. */
  record(
    serviceId: number,
    checks: readonly { readonly at: string; readonly took: number | 'error' | null }[],
  ): Promise<void>
  /** The states from each moment on; the last one lasts. */
  live(serviceId: number, states: readonly (readonly [at: string, state: State])[]): Promise<void>
  /** Asks for a report of Alice's and returns its id. */
  order(template: object, report: object): Promise<number>
  read(reportId: number): Promise<ReportDocument>
}

async function insert(
  api: ApiWorld,
  path: string,
  body: object,
  person: 'alice' | 'charlie' = 'alice',
): Promise<number> {
  const reply = await api.call(person, 'POST', path, body)
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`)
  return (reply.body as { id: number }).id
}

export async function reportWorld(): Promise<ReportWorld> {
  const api = await apiWorld()
  const { database, clock } = api
  const groupId = await insert(api, '/groups', { name: 'Sklepy' })
  const http = (name: string) => ({ type_id: 'http', name, address: 'shop.example.com', group_id: groupId })
  const [shop, mail] = [await insert(api, '/services', http('Sklep')), await insert(api, '/services', http('Poczta'))]
  const { group_id: _default, ...foreign } = http('Tajne')
  const secret = await insert(api, '/services', foreign, 'charlie')
  await database.execute(sql`update services set created_at = '2026-01-01T00:00:00Z'`)
  return {
    ...api,
    groupId,
    shop,
    mail,
    secret,
    async record(serviceId, checks) {
      const rows = checks.map(({ at, took }): AnalysisRow => {
        const result = took === null ? 'u' : took === 'error' ? 'e' : 'o'
        return {
          serviceId,
          analysisId: Date.parse(at) * 100,
          verdict: result === 'o' ? 'ok' : 'failure',
          errorTolerance: 51,
          sensorIds: [1],
          results: [result],
          timeOffsets: [0],
          responseTimes: [typeof took === 'number' ? took : -1],
          dataSizes: [-1],
          phases: [-1, -1, -1, -1, -1, -1],
          failures: null,
        }
      })
      for (const { at } of checks) await ensurePartitions(database, Date.parse(at), 1)
      await database.transaction(async (transaction) =>
        addToRollUps(transaction, await insertAnalyses(transaction, rows)),
      )
    },
    async live(serviceId, states) {
      for (const [index, [at, state]] of states.entries()) {
        const end = states[index + 1]?.[0]
        await database.execute(sql`
          insert into status_changes (service_id, change_id, status, start_time, end_time)
          values (${serviceId}, ${Date.parse(at) * 100}, ${state}, ${new Date(at)}, ${end === undefined ? null : new Date(end)})`)
      }
    },
    async order(template, report) {
      const template_id = await insert(api, '/report_templates', { name: 'Raport', ...template })
      clock.advance(1000)
      return insert(api, '/reports', { template_id, ...report })
    },
    async read(reportId) {
      const reply = await api.call('alice', 'GET', `/reports/${reportId}/json`)
      if (reply.status !== 200) throw new Error(reply.text)
      return reply.body as ReportDocument
    },
  }
}
