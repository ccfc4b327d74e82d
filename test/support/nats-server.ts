import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin']
const program = places.map((place) => join(place, 'nats-server')).find((path) => existsSync(path))

/** Why tests with a real server are skipped; null where they run. */
export const natsMissing =
  program === undefined ? 'there is no nats-server on this machine (apt-get install nats-server)' : null

/** A real server on the loopback that a test can take away and bring back. */
export interface NatsServer {
  readonly url: string
  /** As `kill -9` does. */
  kill(): Promise<void>
  /** Brings it back on its port. */
  start(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isThere = await Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'error').then(() => false),
    delay(1000, false),
  ]).catch(() => false)
  socket.destroy()
  return isThere
}

export async function startNatsServer(): Promise<NatsServer> {
  const port = await freePort()
  let child: ChildProcess | null = null
  async function start(): Promise<void> {
    if (program === undefined) throw new Error('there is no nats-server')
    child = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    for (let tries = 0; tries < 200 && !(await answers(port)); tries++) await delay(50)
  }
  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
