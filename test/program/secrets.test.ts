// Every secret of the program is a word that stands nowhere else; then all that the program lets out is searched for them.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

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

/** Of the program and of everything it has started. */
function commandLines(pid: number): string {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const below = children === '' ? [] : children.split(' ').map(Number)
  return [readFileSync(`/proc/${pid}/cmdline`, 'utf8'), ...below.map(commandLines)].join('\n')
}

/** What lies below the directory, the database's own files left out; what is compressed as it was. */
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

test('no secret comes out, whatever fails and however much is logged', { timeout: 240_000 }, async () => {
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
  program = launch({
    ...{ DATA_DIR: directory.path, LOCAL_SENSORS: '1', LOG_LEVEL: 'trace', METRICS_PORT: '0' },
    ...{ ADMIN_PASSWORD: `${administrator}`, ACCOUNT_PASSWORD: `${account}` },
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
  const failed = async () => (await ask('GET', '/services/1/history/analyses/last_failure_analysis/checks')) as unknown
  await expect
    .poll(async () => JSON.stringify(await failed()), { timeout: 100_000, interval: 500 })
    .toContain('error_type_id')
  for (const path of [
    '/services/1?embed=status',
    '/services',
    '/services/1/history/analyses/last_failure_analysis/checks/1/details',
  ])
    await ask('GET', path)
  const metrics = /^ {2}Metrics +(http\S+)$/m.exec(program.stdout())?.[1]
  if (metrics !== undefined) answers.push(await (await fetch(metrics)).text())
  const places: Readonly<Record<string, string>> = {
    answers: answers.join('\n'),
    log: program.stderr() + program.stdout(),
    files: filesBelow(directory.path),
    processes: commandLines(program.child.pid ?? 0),
  }
  echo.close()
  expect(places['files']).toContain('Basic ***')
  const found = Object.entries(places).flatMap(([place, text]) =>
    secrets
      .filter((secret) => spellings(secret).some((spelling) => text.includes(spelling)))
      .map((secret) => `${secret} in ${place}`),
  )
  expect(found).toEqual([])
})
