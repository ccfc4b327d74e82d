/** The company's servers, on loopback only. They run on after the month was made, with busy and quiet hours. */
import type { Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Server } from 'node:net'
import { CannotStart } from '../../program/cannot-start.ts'
import { failing, type Part, usualMood } from '../moods.ts'
import { placeNames, type TargetPorts } from '../watched.ts'
import { healthServer, liveServer, prometheusServer, snmpAgent, timeServer } from './measured.ts'
import { mailServer, nameServer, openPort } from './others.ts'
import {
  ftpServer,
  imapServer,
  mongodbServer,
  mqttBroker,
  mysqlServer,
  pop3Server,
  postgresqlServer,
  rabbitmqBroker,
  redisServer,
  sshServer,
} from './protocols.ts'
import { registryServer } from './registry.ts'
import { type Moods, secureWebServer, webServer } from './web.ts'

/** Milliseconds for which the shop stays broken after somebody breaks it. */
const breakLength = 180_000

export interface TargetOptions {
  /** Ports to listen on; 0 takes any. */
  readonly places: TargetPorts
  readonly certificate: { readonly cert: string; readonly key: string }
}

export interface Targets {
  readonly places: TargetPorts
  /** Breaks a part until it is repaired. */
  harm(part: Part): void
  mend(part: Part): void
  close(): void
}

type Listener = Server | UdpSocket

const families = ['127.0.0.1', '::1'] as const

async function listen(listener: Listener, port: number, address: string): Promise<void> {
  const isListening = once(listener, 'listening')
  if ('bind' in listener) listener.bind(port, address)
  else listener.listen(port, address)
  await isListening
}

function portOf(listener: Listener): number {
  const address = listener.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

export async function openTargets({ places, certificate }: TargetOptions): Promise<Targets> {
  const brokenUntil = new Map<Part, number>()
  const moods: Moods = {
    now: (part) => ((brokenUntil.get(part) ?? 0) > Date.now() ? failing : usualMood(part, Date.now())),
    break(part) {
      const until = Date.now() + breakLength
      brokenUntil.set(part, until)
      return until
    },
  }
  const open: Listener[] = []
  const close = () => {
    for (const listener of open) shut(listener)
  }
  try {
    return {
      places: await openAll(serversOf(moods, certificate), places, open),
      harm: (part) => void brokenUntil.set(part, Number.POSITIVE_INFINITY),
      mend: (part) => void brokenUntil.delete(part),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

type Servers = Readonly<Record<keyof TargetPorts, (address: string) => Listener>>

function serversOf(moods: Moods, certificate: TargetOptions['certificate']): Servers {
  return {
    web: () => webServer(moods),
    secure: () => secureWebServer(moods, certificate),
    dns: (address) => nameServer(moods, address === '::1' ? 'udp6' : 'udp4'),
    smtp: () => mailServer(moods),
    imap: () => openPort('* OK IMAP4rev1 ready\r\n'),
    warehouse: () => openPort(''),
    websocket: () => liveServer(moods),
    websocketTls: () => liveServer(moods, certificate),
    redis: () => redisServer(moods),
    postgresql: () => postgresqlServer(moods),
    mysql: () => mysqlServer(moods),
    mongodb: () => mongodbServer(moods),
    mqtt: () => mqttBroker(moods),
    mailbox: () => imapServer(moods),
    pop3: () => pop3Server(moods),
    ftp: () => ftpServer(moods),
    ssh: () => sshServer(moods),
    ntp: (address) => timeServer(moods, address === '::1' ? 'udp6' : 'udp4'),
    snmp: (address) => snmpAgent(moods, address === '::1' ? 'udp6' : 'udp4'),
    grpc: () => healthServer(moods),
    prometheus: () => prometheusServer(moods),
    prometheusTls: () => prometheusServer(moods, certificate),
    rabbitmq: () => rabbitmqBroker(moods),
    rdap: () => registryServer(moods),
  }
}

/**
 * Opens each server at one port of both families. `open` lists the opened ones, even if a later one fails. @returns
 * their ports
 */
async function openAll(servers: Servers, wanted: TargetPorts, open: Listener[]): Promise<TargetPorts> {
  const ports: Partial<Record<keyof TargetPorts, number>> = {}
  for (const name of placeNames) {
    for (const address of families) {
      const listener = servers[name](address)
      try {
        await listen(listener, ports[name] ?? wanted[name], address)
      } catch (error) {
        // A machine without IPv6 uses the other family.
        if (address === '127.0.0.1') throw explained(error, wanted[name])
        continue
      }
      open.push(listener)
      ports[name] ??= portOf(listener)
    }
  }
  return { ...wanted, ...ports }
}

function explained(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (!isTaken) return error
  return new CannotStart(
    `Port ${port} of 127.0.0.1, where a server of the demo was, is taken: is the demo running already? Else begin anew with --fresh.`,
  )
}

function shut(listener: Listener): void {
  listener.close()
  if ('closeAllConnections' in listener && typeof listener.closeAllConnections === 'function')
    listener.closeAllConnections()
}
