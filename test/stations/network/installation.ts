// The real program and real stations on the machines of a network.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Machine } from './namespaces.ts'

const port = 8080
const password = 'alice owns this'
export const patience = { timeout: 90_000, interval: 100 }

interface Reply {
  readonly status: number
  readonly body: unknown
}

export interface Core {
  readonly server: string
  start(): Promise<void>
  /** As an operator does; resolves when it is gone. */
  stop(): Promise<void>
  /** A command of the program beside the running one. */
  command(...args: readonly string[]): Promise<string>
  /** Subjects of the mails that it has sent, to each address. */
  mails(): Readonly<Record<string, readonly string[]>>
  log(): string
}

export interface Station {
  start(): void
  kill(): Promise<void>
}

function node(args: readonly string[]): readonly [string, ...string[]] {
  return [process.execPath, ...args]
}

export function coreOn(machine: Machine, directory: string, databaseUrl: string): Core {
  const env = {
    ...{ PATH: process.env['PATH'], HOST: machine.address, PORT: String(port), DATA_DIR: directory },
    ...{ DATABASE_URL: databaseUrl, LOCAL_SENSORS: '0', MINIMUM_INTERVAL: '1', RATE_LIMIT: '1000000' },
    ...{ ACCOUNT_PASSWORD: password, ADMIN_PASSWORD: 'dora keeps this', ADMIN_EMAIL: 'dora@tower.example' },
  }
  let child: ChildProcess | null = null
  let log = ''
  return {
    server: `http://${machine.address}:${port}`,
    async start() {
      const started = machine.spawn(node(['dist/main.js']), { env, stdio: ['ignore', 'pipe', 'pipe'] })
      child = started
      let said = ''
      started.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
      started.stderr?.on('data', (chunk: Buffer) => {
        log += chunk.toString()
      })
      await vi.waitFor(() => {
        if (!said.includes('is ready after')) throw new Error(`the core is not ready: ${said} ${log}`)
      }, patience)
    },
    async stop() {
      if (child === null) return
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
    async command(...args) {
      const started = machine.spawn(node(['dist/cli.js', ...args]), { env, stdio: ['ignore', 'pipe', 'inherit'] })
      let said = ''
      started.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
      const [code] = await once(started, 'close')
      if (code !== 0) throw new Error(`${args.join(' ')}: ${code}`)
      return said
    },
    mails: () => mailsIn(join(directory, 'outbox')),
    log: () => log,
  }
}

function mailsIn(outbox: string): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {}
  for (const name of readdirSync(outbox).filter((file) => file.endsWith('.eml'))) {
    const mail = readFileSync(join(outbox, name), 'utf8')
    const header = (field: string) => new RegExp(`^${field}: (.*)$`, 'm').exec(mail)?.[1]?.trim() ?? ''
    found[header('To')] ??= []
    found[header('To')]?.push(header('Subject'))
  }
  return found
}

/** A station of the program, with what it keeps in a directory of its own. */
export function stationOn(machine: Machine, directory: string, { server, token }: { server: string; token: string }) {
  const env = {
    ...{ PATH: process.env['PATH'], DATA_DIR: directory, LOG_LEVEL: 'warn' },
    ...{ SENSOR_SERVER: server, SENSOR_TOKEN: token, ALLOW_PRIVATE_TARGETS: 'all' },
  }
  let child: ChildProcess | null = null
  return {
    start() {
      child = machine.spawn(node(['dist/cli.js', 'sensor']), { env, stdio: 'ignore' })
    },
    async kill() {
      if (child === null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

/** One of the small programs beside this file, on a machine; resolves when it is ready. */
export async function sideOn(machine: Machine, name: string, ...args: readonly string[]): Promise<ChildProcess> {
  const file = new URL(`./${name}.ts`, import.meta.url).pathname
  const child = machine.spawn(node(['--import', 'tsx', file, ...args]), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

export type Call = (method: string, path: string, body?: unknown) => Promise<Reply>

/** Calls as the account that the first start has made. */
export async function callerOn(machine: Machine, server: string): Promise<Call> {
  const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
  const child = await sideOn(machine, 'caller', `${server}/v3`, authorization)
  const waiting = new Map<number, (reply: Reply) => void>()
  child.on('message', ({ number, ...reply }: Reply & { number: number }) => {
    waiting.get(number)?.(reply)
    waiting.delete(number)
  })
  let lastNumber = 0
  return (method, path, body) =>
    new Promise((resolve) => {
      lastNumber += 1
      waiting.set(lastNumber, resolve)
      child.send({ number: lastNumber, method, path, body })
    })
}
