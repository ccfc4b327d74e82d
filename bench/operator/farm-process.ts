/** One process of the target farm: servers on loopback that fail by the script. Tells its ports to the parent. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  createServer as createWebServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { decode, encode } from 'dns-packet'
import type { IssuedCertificate } from '../../src/demo/targets/certificates.ts'
import { goodText, kindOf, needsGate, type Ports } from './population.ts'
import { type Course, failingRounds, isFailing, roundAt } from './script.ts'

export interface FarmOrder {
  readonly part: 'plain' | 'tls'
  readonly services: number
  readonly certificate: IssuedCertificate
}

/** The phase of each service's grid in milliseconds, by index. */
export interface FarmCourse {
  readonly course: Course
  readonly phases: readonly number[]
}

const loopback = '127.0.0.1'
const backlog = 4096
const webPorts = 8
const securePorts = 4
/** Below the ports that this machine gives to outgoing connections: a gate must find its own again. */
const firstGatePort = 20_000
const lastGatePort = 32_000
const gateTurn = 100
/** Silent targets hold what they were sent for longer than anybody waits. */
const silence = 10_000

let known: FarmCourse | null = null
const failing = new Map<number, boolean[]>()

function isDown(index: number): boolean {
  const phase = known?.phases[index]
  if (known === null || phase === undefined) return isFailing(index, [], -1)
  const { course } = known
  const rounds = failing.get(index) ?? failingRounds(index, course.rounds)
  failing.set(index, rounds)
  return isFailing(index, rounds, roundAt(course, phase, Date.now()))
}

const pages = [2, 10, 40].map((kilobytes) =>
  Buffer.from(
    `<!doctype html><title>Farm</title>${'<p>Beside the sea</p>\n'.repeat(kilobytes * 46)}<p>${goodText}</p>`,
  ),
)
const slowShare = 10
const redirectShare = 100

/** Half of the servers keep connections, a tenth answers slowly, a hundredth redirects. */
async function answerWell(index: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (index % 2 === 0) response.shouldKeepAlive = false
  if (index % slowShare === 3) await pause(100 + ((index * 31) % 700))
  if (index % redirectShare === 7 && request.url === `/${index}`) {
    response.writeHead(302, { location: `/${index}/home` }).end()
    return
  }
  const page = pages[index % pages.length] ?? Buffer.alloc(0)
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length }).end(page)
}

async function answerBadly(index: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (index % 5) {
    case 0:
      response.writeHead(503, { 'content-type': 'text/plain' }).end('Out of order')
      return
    case 1:
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Nobody knows it')
      return
    case 2:
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Under construction</p>')
      return
    case 3:
      request.socket.destroy()
      return
    default:
      await pause(silence, undefined, { ref: false })
      request.socket.destroy()
  }
}

const answer: RequestListener = (request, response) => {
  const index = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1])
  void (isDown(index) ? answerBadly : answerWell)(index, request, response)
}

async function listen(server: Server, port = 0): Promise<number> {
  server.listen({ host: loopback, port, backlog })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function greet(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.write('220 farm ESMTP\r\n')
  socket.on('data', (chunk) => {
    if (chunk.toString('latin1').startsWith('QUIT')) socket.end('221 bye\r\n')
    else socket.write('250 farm\r\n')
  })
}

function acceptAndForget(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.resume()
}

async function serveNames(): Promise<number> {
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const question = decode(message)
    const name = question.questions?.[0]?.name ?? ''
    const index = Number(/^s(\d+)\./.exec(name)?.[1])
    const isBad = isDown(index)
    // Every third of the bad ones keeps silent, the others fail or know nothing.
    if (isBad && index % 3 === 0) return
    const rcode = isBad ? (index % 3 === 1 ? 2 : 3) : 0
    const answers = isBad ? [] : [{ type: 'A' as const, name, ttl: 60, data: loopback }]
    const head = { type: 'response' as const, id: question.id ?? 0, flags: rcode, questions: question.questions ?? [] }
    socket.send(encode({ ...head, answers }), port, address)
  })
  socket.bind(0, loopback)
  await once(socket, 'listening')
  return socket.address().port
}

/** A listener that is there while its target works. */
interface Gate {
  readonly index: number
  readonly port: number
  readonly server: Server
  readonly sockets: Set<Socket>
  isOpen: boolean
}

async function openGate(index: number, from: number): Promise<Gate> {
  const server = createServer(kindOf(index, false) === 'smtp_helo' ? greet : acceptAndForget)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  for (let port = from; port < lastGatePort; port += 1) {
    const isListening = await listen(server, port).then(
      () => true,
      () => false,
    )
    if (isListening) return { index, port, server, sockets, isOpen: true }
  }
  throw new Error('no port is free for a target')
}

async function turnGate(gate: Gate): Promise<void> {
  const shouldBeOpen = !isDown(gate.index)
  if (shouldBeOpen === gate.isOpen) return
  gate.isOpen = shouldBeOpen
  if (shouldBeOpen) {
    await listen(gate.server, gate.port)
    return
  }
  gate.server.close()
  for (const socket of gate.sockets) socket.destroy()
}

async function openGates(services: number): Promise<Gate[]> {
  const gates: Gate[] = []
  for (let index = 0; index < services; index += 1) {
    if (needsGate(index)) gates.push(await openGate(index, (gates.at(-1)?.port ?? firstGatePort - 1) + 1))
  }
  setInterval(() => {
    for (const gate of gates) void turnGate(gate).catch((error: unknown) => console.error('a gate is stuck', error))
  }, gateTurn)
  return gates
}

async function several(count: number, make: () => Server): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => listen(make())))
}

async function serve({ part, services, certificate }: FarmOrder): Promise<Partial<Ports>> {
  if (part === 'tls') return { https: await several(securePorts, () => createSecureServer({ ...certificate }, answer)) }
  const gates = await openGates(services)
  return {
    http: await several(webPorts, () => createWebServer(answer)),
    tcp: await listen(createServer(acceptAndForget)),
    smtp: await listen(createServer(greet)),
    dns: await serveNames(),
    gates: Object.fromEntries(gates.map(({ index, port }) => [index, port])),
  }
}

process.on('message', (message: FarmOrder | FarmCourse) => {
  if ('course' in message) known = message
  else void serve(message).then((ports) => process.send?.(ports))
})
// The parent decides when it is over, also when the terminal says so to all of them.
process.on('SIGINT', () => undefined)
process.on('disconnect', () => process.exit(0))
