// The least a client of Node can do for the same outcome: what our checks are compared with.
import { createSocket } from 'node:dgram'
import { Agent, get } from 'node:http'
import { get as getSecure, Agent as SecureAgent } from 'node:https'
import { connect } from 'node:net'
import { decode, encode, RECURSION_DESIRED } from 'dns-packet'
import { bareDomain } from './core.ts'
import { bareEcho } from './echo.ts'
import { type FurtherProtocol, furtherProtocols, furtherTalk } from './further.ts'
import type { Kind, Once } from './kinds.ts'
import { type Protocol, protocols, talks } from './protocols.ts'
import type { Targets } from './targets.ts'

export type BareClients = Readonly<Record<Kind, Once>>

export function bareClients(targets: Targets): BareClients {
  const agent = new Agent({ keepAlive: false })
  const secureAgent = new SecureAgent({ keepAlive: false, maxCachedSessions: 0 })
  const drain = (resolve: () => void) => (response: NodeJS.ReadableStream) => {
    response.on('data', () => {})
    response.on('end', resolve)
  }
  const talking = protocols.map((name) => [name, () => talk(name, targets[name])] as const)
  const others = furtherProtocols.map((name) => [name, () => furtherTalk(name).bare(targets[name])] as const)
  return {
    ...(Object.fromEntries(others) as Record<FurtherProtocol, () => Promise<void>>),
    ...(Object.fromEntries(talking) as Record<Protocol, () => Promise<void>>),
    http: () =>
      new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port: targets.http, agent, timeout: 7000 }, drain(resolve)).on('error', reject)
      }),
    https: () =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port: targets.https, agent: secureAgent, rejectUnauthorized: false }
        getSecure({ ...options, timeout: 7000 }, drain(resolve)).on('error', reject)
      }),
    ping: bareEcho(),
    domain: bareDomain(targets.domain),
    tcp_connect: () =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port: targets.tcp_connect, timeout: 5000 }, () => {
          socket.destroy()
          resolve()
        })
        socket.on('error', reject)
      }),
    dns: () =>
      new Promise((resolve, reject) => {
        const socket = createSocket('udp4')
        const questions = [{ type: 'A' as const, name: 'www.example.com' }]
        socket.on('error', reject)
        socket.on('message', (message) => {
          decode(message)
          socket.close()
          resolve()
        })
        socket.connect(targets.dns, '127.0.0.1', () =>
          socket.send(encode({ type: 'query', id: 1, flags: RECURSION_DESIRED, questions })),
        )
      }),
  }
}

const question = Buffer.alloc(64, 1)

/** As many turns as the check has, and nothing is understood of what is said. */
function talk(name: Protocol, port: number): Promise<void> {
  const { greets, questions } = talks[name]
  return new Promise((resolve, reject) => {
    let left = questions
    const socket = connect({ host: '127.0.0.1', port, timeout: 5000 }, () => {
      if (!greets) ask()
    })
    const ask = (): void => {
      left -= 1
      socket.write(question)
    }
    socket.on('data', () => {
      if (left > 0) return ask()
      socket.destroy()
      return resolve()
    })
    socket.on('error', reject)
  })
}
