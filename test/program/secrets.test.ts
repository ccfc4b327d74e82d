// Every secret of the program is a unique word; then the test searches for them in everything that the program outputs.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import sql, { raw } from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Variable } from '../../src/config/variable.ts'
import { variables } from '../../src/config/variables.ts'
import { connect, type Database } from '../../src/database/connect.ts'
import { runningEmbeddedUrl } from '../../src/database/embedded.ts'
import { wholeProgram } from '../support/own-program.ts'
import { startCollector } from '../telemetry/collector.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'
import { plantSecrets } from './planted-secrets.ts'

let directory: ReturnType<typeof temporaryDirectory>
let program: Launched | undefined
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(async () => {
  if (program !== undefined) await stop(program)
  directory.remove()
}, 60_000)

/** Beside itself as Basic credentials, addresses and JSON would carry it. */
function spellings(secret: string): string[] {
  return [
    secret,
    Buffer.from(`alice:${secret}`).toString('base64').slice(0, -4),
    Buffer.from(secret).toString('base64url'),
  ]
}

/** Empty when it has ended while it was looked at. */
function ifThere<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read()
  } catch {
    return []
  }
}

const readIfThere = (path: string) => ifThere(() => [readFileSync(path, 'utf8')]).join('')

function childrenOf(pid: number): readonly number[] {
  const threads = ifThere(() => readdirSync(`/proc/${pid}/task`))
  const ids = threads.flatMap((thread) => readIfThere(`/proc/${pid}/task/${thread}/children`).split(' '))
  return ids.filter((id) => id !== '').map(Number)
}

/** The parts of the program and its children that everybody on the machine may read, and their environments. */
function processes(pid: number, isOurs = false): string {
  const own = [readIfThere(`/proc/${pid}/cmdline`), ...(isOurs ? [] : [readIfThere(`/proc/${pid}/environ`)])]
  return [...own, ...childrenOf(pid).map((child) => processes(child))].join('\n')
}

/** The files below the directory, except the database's own; compressed ones are unpacked. */
function filesBelow(path: string): string {
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !/^(postgres|database|pg|socket)/.test(name))
    .map((entry) => {
      const file = join(path, entry.name)
      if (entry.isDirectory()) return filesBelow(file)
      if (!entry.isFile()) return ''
      const bytes = readFileSync(file)
      return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
    })
    .join('\n')
}

test('no secret comes out, whatever fails and however much is logged', { timeout: 480_000 }, async () => {
  const echo = createServer((request, response) => {
    const authorization = request.headers.authorization ?? ''
    response
      .writeHead(500, { 'x-said': authorization })
      .end(`${authorization} ${Buffer.from(authorization.slice(6), 'base64')}`)
  })
  await new Promise<void>((listening) => echo.listen(0, '127.0.0.1', listening))
  const target = (echo.address() as AddressInfo).port
  const secrets = [
    'marker-of-smtp',
    'marker-of-sms',
    'marker-of-xmpp',
    'marker-of-admin',
    'marker-of-account',
    'marker-of-service',
  ]
  const [smtp, sms, xmpp, administrator, account, service] = secrets
  const collector = await startCollector()
  program = launch({
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' },
    ...{ SERVICE_METRICS_OTLP_ACCOUNTS: '*', OTEL_METRIC_EXPORT_INTERVAL: '1000' },
    ...{ DATA_DIR: directory.path, LOCAL_SENSORS: '1', LOG_LEVEL: 'trace', METRICS_PORT: '0' },
    ...{ ADMIN_PASSWORD: `${administrator}`, ACCOUNT_PASSWORD: `${account}` },
    ...{ REGISTRATION: 'on', ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
    SMTP_URL: `smtp://latarnik:${smtp}@127.0.0.1:${target}`,
    XMPP_URL: `xmpp://latarnik:${xmpp}@127.0.0.1:${target}`,
    SMS_GATEWAY_URL: `http://127.0.0.1:${target}/`,
    SMS_GATEWAY_HEADERS: JSON.stringify({ Authorization: `Bearer ${sms}` }),
  })
  const api = await program.ready()
  const answers: string[] = []
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const authorization = `Basic ${Buffer.from(`user:${account}`).toString('base64')}`
    const headers = { authorization, 'content-type': 'application/json' }
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`${api}/v3${path}`, init)
    const text = await response.text()
    answers.push(text, JSON.stringify([...response.headers]))
    return text === '' ? null : JSON.parse(text)
  }
  const settings = { username: 'alice', password: service, timeout: 2000 }
  const made = {
    name: 'Echo',
    type_id: 'http',
    address: `127.0.0.1:${target}/`,
    interval: 60,
    extended_settings: settings,
  }
  await ask('POST', '/notification_addresses', { notification_channel_id: 'email', address: 'me@example.com' })
  await ask('POST', '/notification_addresses', { notification_channel_id: 'sms', address: '+48500100200' })
  await ask('POST', '/services', made)
  await ask('POST', '/services', { ...made, name: '', extended_settings: { ...settings, password: `${service}\n` } })
  await ask('PUT', '/services/1', { extended_settings: { password: service, secrets: service } })
  await ask('POST', '/services', { ...made, name: 'API', extended_settings: { bearer_token: service, timeout: 2000 } })
  const database = connect({ url: (await runningEmbeddedUrl(directory.path)) ?? '', maximumConnections: 1 })
  const passwords = { administrator: `${administrator}`, account: `${account}` }
  const planted = await plantSecrets({ root: api, database, passwords, answers })
  const failed = async () => (await ask('GET', '/services/1/history/analyses/last_failure_analysis/checks')) as unknown
  await expect
    .poll(async () => JSON.stringify(await failed()), { timeout: 200_000, interval: 500 })
    .toContain('error_type_id')
  for (const path of [
    '/services/1?embed=status',
    '/services',
    '/services/1/history/analyses/last_failure_analysis/checks/1/details',
    '/public/swagger.json',
    '/admin/sensors',
  ])
    await ask('GET', path)
  const metrics = /^ {2}Metrics +(http\S+)$/m.exec(program.stdout())?.[1]
  if (metrics !== undefined) answers.push(await (await fetch(metrics)).text())
  await expect.poll(() => collector.text(), { timeout: 30_000, interval: 200 }).toContain('/v3/sessions')
  const places: Readonly<Record<string, string>> = {
    answers: answers.join('\n'),
    log: program.stderr() + program.stdout(),
    files: filesBelow(directory.path),
    processes: processes(program.child.pid ?? 0, true),
    database: await rowsOf(database),
    backup: await unpacked('backup'),
    export: await unpacked('export'),
    traces: collector.text(),
  }
  await database.close()
  await collector.stop()
  echo.close()
  expect(places['files']).toContain('Basic ***')
  expect(places['processes']).toContain('LC_ALL=C')
  const all = { ...Object.fromEntries(secrets.map((secret) => [secret, secret])), ...planted }
  expect(Object.values(all).filter((secret) => secret.length < 8)).toEqual([])
  const found = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(all)
      .filter(([, secret]) => spellings(secret).some((spelling) => text.includes(spelling)))
      .map(([name]) => `${name} in ${place}`),
  )
  // As stated in docs/operations.md, Backup and moving: the secrets of checks and codes, and links that have not been
  // sent yet.
  const kept = ['marker-of-service', 'secret of a factor']
  const waiting = ['link of activation', 'link of invitation', 'link of password_reset']
  expect(found.toSorted()).toEqual(
    [
      ...['backup', 'database', 'export'].flatMap((place) => kept.map((name) => `${name} in ${place}`)),
      ...['backup', 'database'].flatMap((place) => waiting.map((name) => `${name} in ${place}`)),
    ].toSorted(),
  )
})

/** Every row of every table, as text. */
async function rowsOf(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
  const rows = await Promise.all(
    tables.map(({ name }) => database.query<{ row: string }>(raw(`select t::text as row from "${name}" t`))),
  )
  return rows.flatMap((some) => some.map(({ row }) => row)).join('\n')
}

/** The files that `latarnik backup` or `export` writes beside the running program. */
async function unpacked(command: 'backup' | 'export'): Promise<string> {
  const place = temporaryDirectory()
  try {
    const file = join(place.path, 'file.tar')
    const run = launch({ DATA_DIR: directory.path }, [command, file], wholeProgram('cli'))
    expect([await run.ended(), run.stderr()]).toEqual([0, expect.any(String)])
    execFileSync('tar', ['-xf', file, '-C', place.path])
    return filesBelow(place.path)
  } finally {
    place.remove()
  }
}

/** A valid value without effect for each secret variable. Nothing listens on port 9 of this machine. */
const samples: Readonly<Record<string, string>> = {
  ADMIN_PASSWORD: 'marker-of-administrator',
  ACCOUNT_PASSWORD: 'marker-of-account',
  DATABASE_URL:
    'postgres://latarnik:marker-of-database@127.0.0.1:9,127.0.0.2:9/latarnik?application_name=x&password=marker-of-query',
  NATS_URL: 'nats://latarnik:marker-of-broker@127.0.0.1:9',
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_ACCESS_KEY_ID: 'marker-of-key-id',
  S3_SECRET_ACCESS_KEY: 'marker-of-secret-key',
  SMTP_URL: 'smtp://latarnik:marker-of-smtp@127.0.0.1:9',
  XMPP_URL: 'xmpp://latarnik:marker-of-xmpp@127.0.0.1:9?domain=example.com',
  SMS_GATEWAY_URL: 'http://latarnik:marker-of-sms@127.0.0.1:9/?key=marker-of-sms-key&to={to}&text={text}',
  SMS_GATEWAY_BODY: '{"to":"{to}","text":"{text}","key":"marker-of-sms-body"}',
  SMS_GATEWAY_HEADERS: '{"Authorization":"Bearer marker-of-sms-header"}',
  GADU_GADU_GATEWAY_URL: 'http://latarnik:marker-of-gg@127.0.0.1:9/?key=marker-of-gg-key&to={to}&text={text}',
  GADU_GADU_GATEWAY_BODY: '{"to":"{to}","text":"{text}","key":"marker-of-gg-body"}',
  GADU_GADU_GATEWAY_HEADERS: '{"Authorization":"Bearer marker-of-gg-header"}',
  SMS_TOKEN: 'marker-of-sms-token',
  SMPP_URL: 'smpp://latarnik:marker-of-smpp@127.0.0.1:9',
  SENSOR_TOKEN: `marker-of-station${'x'.repeat(43)}`,
  OIDC_CLIENT_SECRET: 'marker-of-oidc',
  HTTPS_PROXY: 'http://latarnik:marker-of-proxy@127.0.0.1:9',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://latarnik:marker-of-collector@127.0.0.1:9/?key=marker-of-collector-key',
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://latarnik:marker-of-metrics@127.0.0.1:9/?key=marker-of-metrics-key',
}

/** Ways that exclude others are tried apart. */
const otherWays = ['SMS_TOKEN', 'SMPP_URL']
const usualWay = {
  ...Object.fromEntries(Object.entries(samples).filter(([name]) => !otherWays.includes(name))),
  ...{ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'latarnik' },
}

const failing: readonly (readonly [
  what: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
])[] = [
  ['doctor', ['doctor', '--offline'], { ...usualWay, S3_BUCKET: 'evidence' }],
  ['a start without its database', ['start'], { ...usualWay, S3_BUCKET: 'evidence' }],
  ['a start with contradictions', ['start'], { ...samples, SMS_PROVIDER: 'smsapi' }],
  [
    'a start with wrong values',
    ['start'],
    Object.fromEntries(Object.keys(samples).map((name) => [name, `\u0001 marker-of-${name}`])),
  ],
  ['a station without a core', ['sensor', '--server', 'http://127.0.0.1:9'], samples],
]

test('what fails for want of the right configuration tells none of its secrets', { timeout: 400_000 }, async () => {
  const secret = Object.entries(variables as Readonly<Record<string, Variable<unknown>>>).filter(
    ([, one]) => one.isSecret,
  )
  expect(Object.keys(samples).toSorted()).toEqual(secret.map(([name]) => name).toSorted())
  for (const [what, args, given] of failing) {
    const run = launch({ DATA_DIR: directory.path, LOG_LEVEL: 'trace', ...given }, args, wholeProgram('cli'))
    const patience = setTimeout(() => run.child.kill('SIGKILL'), 70_000)
    const outcome = await run.ended()
    clearTimeout(patience)
    const said = run.stdout() + run.stderr()
    expect([what, outcome, said.match(/marker-of[\w-]*/g), said.length > 20]).toEqual([
      what,
      expect.anything(),
      null,
      true,
    ])
  }
})
