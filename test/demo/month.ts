import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import type { Database } from '../../src/database/connect.ts'
import { demoServices } from '../../src/demo/company.ts'
import { type MadeMonth, makeMonth } from '../../src/demo/make-month.ts'
import type { Login, Person } from '../../src/demo/people.ts'
import type { Samples } from '../../src/demo/samples.ts'
import { placeNames, type TargetPorts } from '../../src/demo/watched.ts'
import { testDatabase } from '../support/database.ts'
import { emptyDocument } from '../support/reports.ts'

export interface DemoWorld {
  readonly database: Database
  readonly directory: string
  readonly made: MadeMonth
  drop(): Promise<void>
}

const places = Object.fromEntries(placeNames.map((name, index) => [name, 8181 + index])) as Record<
  keyof TargetPorts,
  number
>

export const logins: Readonly<Record<Person, Login>> = {
  owner: { username: 'demo', password: 'żagle na wiatr' },
  ania: { username: 'ania', password: 'żagle na wiatr' },
  tom: { username: 'tom', password: 'żagle na wiatr' },
  agency: { username: 'agency', password: 'żagle na wiatr' },
  administrator: { username: 'admin', password: 'żagle na wiatr' },
}

const page = Buffer.from('<h1>Sklep chwilowo nie działa</h1>')

/** As a station would have brought it. */
const failed: Samples['failed'] = new Map([
  [
    'home',
    {
      ...{ base_url: 'http://127.0.0.1:8181/', ip_address: '127.0.0.1', status_code: 503, content_type: 'text/html' },
      response_headers: 'HTTP/1.1 503 Service Unavailable\r\nDate: Sat, 21 Nov 2026 09:00:00 GMT\r\n',
      ...{ file_name: null, facts: {}, artifacts: [{ typeId: 'content', contentType: 'text/html', bytes: page }] },
    },
  ],
])
const samples: Samples = { failed, good: new Map() }

export interface DemoSpan {
  readonly toAt: number
  readonly days: number
  /** The keys of the services; all of them would take long. */
  readonly keys: readonly string[]
}

/** A part of the demo, on a database of its own. */
export async function demoWorld({ toAt, days, keys }: DemoSpan, seed = 1): Promise<DemoWorld> {
  const { database, drop } = await testDatabase()
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-demo-'))
  const categories = ['default', 'ipv6', 'mobile', 'webappcheck']
  const made = await makeMonth({
    ...{ database, seed, days, toAt, places, logins, categories },
    languageId: 'pl',
    samples: Promise.resolve(samples),
    artifacts: diskArtifacts(join(directory, 'artifacts')),
    log: pino({ level: 'warn' }),
    outboxDirectory: join(directory, 'outbox'),
    mailFrom: 'Latarnik <latarnik@localhost>',
    publicUrl: 'http://api.test',
    render: emptyDocument,
    services: demoServices(categories, true).filter(({ key }) => keys.includes(key)),
    minimumIntervalSeconds: 10,
    told: () => undefined,
    signal: new AbortController().signal,
  })
  return {
    ...{ database, directory, made },
    async drop() {
      await drop()
      await rm(directory, { recursive: true })
    },
  }
}
