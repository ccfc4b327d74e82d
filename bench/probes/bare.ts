// The least a client of Node can do for the same outcome: what our checks are compared with.
import { createSocket } from 'node:dgram'
import { Agent, get } from 'node:http'
import { get as getSecure, Agent as SecureAgent } from 'node:https'
import { connect } from 'node:net'
import { decode, encode, RECURSION_DESIRED } from 'dns-packet'
import type { Targets } from './targets.ts'

export interface BareClients {
  readonly http: () => Promise<void>
  readonly https: () => Promise<void>
  readonly tcp: () => Promise<void>
  readonly dns: () => Promise<void>
}

export function bareClients(targets: Targets): BareClients {
  const agent = new Agent({ keepAlive: false })
  const secureAgent = new SecureAgent({ keepAlive: false, maxCachedSessions: 0 })
  const drain = (resolve: () => void) => (response: NodeJS.ReadableStream) => {
    response.on('data', () => {})
    response.on('end', resolve)
  }
  return {
    http: () =>
      new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port: targets.http, agent, timeout: 7000 }, drain(resolve)).on('error', reject)
      }),
    https: () =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port: targets.https, agent: secureAgent, rejectUnauthorized: false }
        getSecure({ ...options, timeout: 7000 }, drain(resolve)).on('error', reject)
      }),
    tcp: () =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port: targets.tcp, timeout: 5000 }, () => {
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
