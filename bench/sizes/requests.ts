/** The requests of the console, of a script and of a report, to an account that has four fifths of the services. */
import sql from 'sql-template-tag'
import { readBacklog } from '../../src/database/backlog.ts'
import type { Database } from '../../src/database/connect.ts'
import { password, username } from '../api/fill.ts'
import { type Served, serve } from '../api/served.ts'
import type { BenchDatabase } from '../support/bench-database.ts'
import type { Figure } from './figures.ts'

const warmUps = 3
const repetitions = 8

interface Asked {
  readonly path: string
  /** Lists that are counted read what they count. */
  readonly grows: Figure['grows']
}

function requestsOf(ids: readonly number[], groupId: number): Readonly<Record<string, Asked>> {
  const fields = 'fields=id,name,address,type_id,interval,is_active,is_archived,group_id'
  const listed = `services?is_archived=false&${fields}&embed=status,permissions&limit=100`
  const counted = 'services?is_archived=false&fields=id&limit=0'
  const asked = ids.map((id) => `id=${id}`).join('&')
  const one = ids[50] ?? 0
  const middle = `&offset=${ids.length * 5}`
  return {
    'list of 100 by id': { path: listed, grows: 'linear' },
    'list of 100 by name': { path: `${listed}&sort=name`, grows: 'linear' },
    'list of 100 by state': { path: `${listed}&sort=status.summary`, grows: 'linear' },
    'list of 100 in the middle': { path: `${listed}&sort=name${middle}`, grows: 'linear' },
    'count of failing': { path: `${counted}&status.summary=failure`, grows: 'linear' },
    'count of ok': { path: `${counted}&status.summary=ok&status.is_degraded=false`, grows: 'linear' },
    'count of degraded': { path: `${counted}&status.is_degraded=true`, grows: 'linear' },
    'counts of all states': { path: 'services/state_counts?is_archived=false', grows: 'linear' },
    'a search': { path: `${listed}&query=klient-77`, grows: 'linear' },
    'of one group': { path: `${listed}&group_id=${groupId}`, grows: 'not' },
    'statuses of 100': { path: `service_statuses?${asked}&limit=1000`, grows: 'not' },
    'bars of 100': { path: `services/history_bars?${asked}&days=30`, grows: 'not' },
    'one service': { path: `services/${one}?embed=status,group,type,permissions`, grows: 'not' },
    'its service level': { path: `services/${one}/history/service_level?from=-604800`, grows: 'not' },
    'its chart': { path: `services/${one}/charts/performance?from=-604800`, grows: 'not' },
    'groups, 100 by name': { path: 'groups?limit=100&embed=permissions&sort=name', grows: 'linear' },
    'changes of all, newest': {
      path: 'accounts/my_account/logs/status_changes?sort=-start_time&limit=50',
      grows: 'linear',
    },
  }
}

async function logIn({ baseUrl }: Served): Promise<string> {
  const response = await fetch(`${baseUrl}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return `Bearer ${((await response.json()) as { readonly token: string }).token}`
}

async function ownIds(database: Database): Promise<{ ids: number[]; groupId: number }> {
  const rows = await database.query<{ id: number; group_id: number }>(sql`
    select s.id, group_id from services s join accounts a on a.id = s.owner_id where username = ${username} order by s.id limit 100`)
  return { ids: rows.map(({ id }) => id), groupId: rows[0]?.group_id ?? 0 }
}

/** Milliseconds of one turn: until the answer, and of CPU in a process of Node and in PostgreSQL. */
async function costOf(
  bench: BenchDatabase,
  ownCpu: () => Promise<number>,
  work: () => Promise<unknown>,
): Promise<{ answerMs: number; cpuMs: number }> {
  for (let turn = 0; turn < warmUps; turn += 1) await work()
  const [serverBefore, before] = [(await bench.serverCpu()) ?? 0, await ownCpu()]
  const times: number[] = []
  for (let turn = 0; turn < repetitions; turn += 1) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  const cpu = ((await bench.serverCpu()) ?? 0) - serverBefore + (await ownCpu()) - before
  return { answerMs: times.toSorted((a, b) => a - b)[repetitions >> 1] ?? 0, cpuMs: cpu / repetitions }
}

export async function measureRequests(bench: BenchDatabase): Promise<Figure[]> {
  const { ids, groupId } = await ownIds(bench.database)
  const served = await serve('session', bench.url, ids[0] ?? 0)
  try {
    const authorization = await logIn(served)
    const read = async (path: string) => {
      const response = await fetch(`${served.baseUrl}/${path}`, { headers: { authorization } })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
    }
    const figures: Figure[] = []
    for (const [name, { path, grows }] of Object.entries(requestsOf(ids, groupId))) {
      const { answerMs, cpuMs } = await costOf(bench, served.cpuMs, () => read(path))
      figures.push(
        { name: `${name}, ms`, value: answerMs, grows: null },
        { name: `${name}, CPU-ms`, value: cpuMs, grows },
      )
    }
    const { residentBytes } = await served.usage()
    figures.push({ name: 'memory of the API, MB', value: residentBytes / 1_048_576, grows: 'not' })
    const cpuOfBench = async () => process.cpuUsage().user / 1000
    const scrape = await costOf(bench, cpuOfBench, () => readBacklog(bench.database, Date.now()))
    figures.push({ name: 'a scrape’s statements, CPU-ms', value: scrape.cpuMs, grows: 'not' })
    return figures
  } finally {
    await served.stop()
  }
}
