// If anybody may register, only an isolated browser checks pages: the whole program, with local and remote stations.
import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { wholeProgram } from '../support/own-program.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

const patience = { timeout: 60_000, interval: 200 }
const directory = temporaryDirectory()
const stationDirectory = temporaryDirectory()
/** Whether a browser is there is not asked before the first page. */
const chromium = { CHROMIUM_PATH: '/nowhere/chromium' }
const stations: ChildProcess[] = []
let core: Launched
let url: string

beforeAll(async () => {
  core = launch({
    ...{ ...chromium, DATA_DIR: directory.path, REGISTRATION: 'on', CHROMIUM_SANDBOX: 'off' },
    ...{ ADMIN_PASSWORD: 'dora keeps this', ACCOUNT_PASSWORD: 'alice owns this' },
  })
  url = await core.ready()
}, 180_000)
afterAll(async () => {
  for (const child of stations) child.kill('SIGKILL')
  await stop(core)
  directory.remove()
  stationDirectory.remove()
}, 60_000)

async function call(who: 'admin' | 'user', method: string, path: string, body?: object) {
  const password = who === 'admin' ? 'dora keeps this' : 'alice owns this'
  const response = await fetch(`${url}/v3${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${who}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return JSON.parse(await response.text()) as Readonly<Record<string, unknown>>
}

const page = { type_id: 'fullpage', name: 'Page', address: 'www.example.com/', interval: 60, is_active: false }

test('its own stations get no browser without isolation: the start message and the new service say so', async () => {
  expect(core.stdout()).toMatch(
    /^ {2}Browser +none: pages and scenarios are not checked, because anybody may register/m,
  )
  const made = await call('user', 'POST', '/services', page)
  expect(made['warnings']).toEqual([expect.objectContaining({ warning: 'no_capable_sensor' })])
})

test('stations far away are asked for pages when they say that a container isolates them, and else not', {
  timeout: 180_000,
}, async () => {
  async function station(name: string, sandbox: string) {
    const made = await call('admin', 'POST', '/admin/sensors', { name })
    const issued = await call('admin', 'POST', `/admin/sensors/${made['id']}/token`)
    const child = spawn(process.execPath, [wholeProgram('cli'), 'sensor', '--server', url], {
      env: {
        ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], ...chromium, CHROMIUM_SANDBOX: sandbox },
        ...{ SENSOR_TOKEN: String(issued['token']), DATA_DIR: `${stationDirectory.path}/${name}` },
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    stations.push(child)
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    await vi.waitFor(() => expect(said).toContain('Targets: '), patience)
    const shown = await call('admin', 'GET', `/admin/sensors/${made['id']}`)
    return { id: Number(made['id']), said, categoryIds: shown['category_ids'] }
  }

  const open = await station('Open', 'off')
  expect(open.categoryIds).not.toContain('mobile')
  expect(open.said).toContain('REGISTRATION=on')
  const unserved = await call('user', 'POST', '/services', { ...page, sensor_ids: [open.id] })
  expect(unserved['warnings']).toEqual([expect.objectContaining({ warning: 'no_capable_sensor' })])

  const contained = await station('Contained', 'container')
  expect(contained.categoryIds).toContain('mobile')
  expect(contained.said).not.toContain('REGISTRATION=on')
  const served = await call('user', 'POST', '/services', { ...page, sensor_ids: [contained.id] })
  expect(served['warnings']).toEqual([])
})
