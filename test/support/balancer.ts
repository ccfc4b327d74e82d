import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A load balancer before several processes: each connection goes to the next one that accepts it. */
export interface Balancer {
  readonly url: URL
  /** Ports on the loopback, in the order in which they are tried by turns. */
  readonly ports: Set<number>
  close(): Promise<void>
}

export interface BalancerOptions {
  /** So late comes what is said, in each direction. */
  readonly delayMs?: number
}

export async function startBalancer({ delayMs = 0 }: BalancerOptions = {}): Promise<Balancer> {
  const ports = new Set<number>()
  const sockets = new Set<Socket>()
  let turn = 0

  async function target(): Promise<Socket | null> {
    const order = [...ports]
    turn += 1
    for (let tried = 0; tried < order.length; tried++) {
      const socket = dial(order[(turn + tried) % order.length] ?? 0, '127.0.0.1')
      const isThere = await once(socket, 'connect').then(
        () => true,
        () => false,
      )
      if (isThere) return socket
    }
    return null
  }

  const server = createServer(async (near) => {
    near.on('error', () => near.destroy())
    const far = await target()
    if (far === null) {
      near.destroy()
      return
    }
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      if (delayMs === 0) one.pipe(other)
      else one.pipe(late(delayMs)).pipe(other)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The balancer has no port.')
  return {
    url: new URL(`http://127.0.0.1:${address.port}`),
    ports,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Delays a stream, keeping its order and its pace. */
function late(delayMs: number): Transform {
  return new Transform({
    highWaterMark: 16 * 1_048_576,
    transform(chunk: Buffer, _encoding, taken) {
      setTimeout(() => this.push(chunk), delayMs)
      taken()
    },
  })
}
