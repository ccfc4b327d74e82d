import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { generatedPassword, type Launched, launch, stop, temporaryDirectory } from './launch.ts'

const data = temporaryDirectory()
let program: Launched
let api = ''
let password = ''

afterAll(async () => {
  await stop(program)
  data.remove()
})

async function start(registration: 'on' | 'off'): Promise<void> {
  program = launch({ DATA_DIR: data.path, REGISTRATION: registration, LOG_LEVEL: 'trace' })
  api = `${await program.ready()}/v3`
  password = generatedPassword(program.stdout(), 'account') || password
}

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(api + path, {
    method,
    headers: { authorization, ...type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function add(address: string): Promise<string> {
  const body = { notification_channel_id: 'email', address }
  const created = await call('POST', '/notification_addresses', body)
  expect(created).toMatchObject({ status: 201 })
  return `/notification_addresses/${(created.body as { id: number }).id}`
}

const seen = async (path: string) => (await call('GET', `${path}?fields=is_confirmed`)).body

function codeFor(address: string): string | undefined {
  const outbox = join(data.path, 'outbox')
  const mails = existsSync(outbox) ? readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8')) : []
  return /^(\d{8}) /m.exec(mails.find((mail) => mail.includes(`To: ${address}`)) ?? '')?.[1]
}

test('while registration is open a code comes by mail and stands in no log; once it is closed every address counts as confirmed', async () => {
  await start('on')
  const [path, waiting] = [await add('one@example.com'), await add('two@example.com')]
  expect(await seen(path)).toEqual({ is_confirmed: false })
  const code = await vi.waitFor(() => codeFor('one@example.com') ?? Promise.reject(new Error('no mail')), {
    timeout: 30_000,
  })
  expect((await call('POST', `${path}/confirm`, { code })).status).toBe(204)
  expect([await seen(path), await seen(waiting)]).toEqual([{ is_confirmed: true }, { is_confirmed: false }])
  await stop(program)
  expect(program.stdout() + program.stderr()).not.toContain(code)
  await start('off')
  expect([await seen(path), await seen(waiting)]).toEqual([{ is_confirmed: true }, { is_confirmed: true }])
  expect(await seen(await add('three@example.com'))).toEqual({ is_confirmed: true })
}, 180_000)
