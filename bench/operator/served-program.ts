/** The built program as `npm start` runs it, on a directory of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, type Database } from '../../src/database/connect.ts'
import { runningEmbeddedUrl } from '../../src/database/embedded.ts'
import { type Launched, launch, stop } from '../../test/program/launch.ts'

export interface ServedProgram {
  readonly processId: number
  /** With `/v3`. */
  readonly api: string
  readonly metricsUrl: string
  readonly hasPing: boolean
  /** A session of the account. */
  readonly authorization: string
  /** A session of the administrator. */
  readonly adminAuthorization: string
  /** The bundled one, asked beside the program. */
  readonly database: Database
  readonly dataDirectory: string
  /** The authority of the targets, as PEM. */
  readonly authorityFile: string
  /** Above information, by its text. */
  complaints(): ReadonlyMap<string, number>
  isRunning(): boolean
  stop(): Promise<void>
  /** After the stop. */
  removeData(): Promise<void>
}

/** The password of the account `user` and of the administrator `admin`. */
export const password = 'operator-Bench-1'
/** As it is installed; only vitest knows the bundle of the tests. */
const builtProgram = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

async function logIn(api: string, username: 'user' | 'admin'): Promise<string> {
  const response = await fetch(`${api}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, expiration_duration: 86_400 }),
  })
  const { token } = (await response.json()) as { readonly token: string }
  return `Bearer ${token}`
}

const warning = 40

export function complaintsIn(log: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const line of log.split('\n')) {
    const [, level] = /^\{"level":(\d+)/.exec(line) ?? []
    if (level === undefined || Number(level) < warning) continue
    const { msg, err } = JSON.parse(line) as { readonly msg: string; readonly err?: { readonly message?: string } }
    const text = [msg, err?.message].filter((part) => part !== undefined).join(': ')
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

function lineOf(launched: Launched, label: string): string {
  return new RegExp(`^ {2}${label} +(.+)$`, 'm').exec(launched.stdout())?.[1] ?? ''
}

export interface ProgramWish {
  readonly stations: number
  readonly smtpUrl: string
  /** PEM. */
  readonly authority: string
  readonly heapMegabytes: number | null
}

export async function serveProgram({
  stations,
  smtpUrl,
  authority,
  heapMegabytes,
}: ProgramWish): Promise<ServedProgram> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'latarnik-operator-'))
  const authorityFile = join(dataDirectory, 'farm.pem')
  await writeFile(authorityFile, authority)
  const variables = {
    ...{ DATA_DIR: dataDirectory, SMTP_URL: smtpUrl, NODE_EXTRA_CA_CERTS: authorityFile },
    ...{ ACCOUNT_PASSWORD: password, ADMIN_PASSWORD: password },
    ...{
      LOCAL_SENSORS: String(stations),
      METRICS_PORT: '0',
      RATE_LIMIT: '1000000',
      CPU_LIMIT: '60',
      MINIMUM_INTERVAL: '1',
    },
    ...(heapMegabytes === null ? {} : { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` }),
  }
  const launched = launch(variables, [], builtProgram)
  let hasEnded = false
  void launched.ended().then(() => {
    hasEnded = true
  })
  const api = `${await launched.ready()}/v3`
  const database = connect({
    url: (await runningEmbeddedUrl(dataDirectory)) ?? '',
    ...{ maximumConnections: 2, applicationName: 'latarnik command', onError: () => undefined },
  })
  return {
    ...{ processId: launched.child.pid ?? 0, api, database, dataDirectory, authorityFile },
    metricsUrl: lineOf(launched, 'Metrics'),
    hasPing: !lineOf(launched, 'Stations').includes('no ping'),
    authorization: await logIn(api, 'user'),
    adminAuthorization: await logIn(api, 'admin'),
    complaints: () => complaintsIn(launched.stderr()),
    isRunning: () => !hasEnded,
    async stop() {
      if (hasEnded) return
      await database.close()
      await stop(launched)
    },
    removeData: () => rm(dataDirectory, { recursive: true, force: true }),
  }
}
