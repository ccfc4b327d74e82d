import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import type { DiagnosticRequest } from '../../domain/services/diagnostic.ts'
import type { CheckedAddress } from '../../outgoing/dial.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHost } from '../../outgoing/host.ts'
import type { Screen } from '../../outgoing/screen.ts'
import type { Attempt } from '../attempt.ts'
import type { Equipment } from '../equipment.ts'
import { runProgram } from '../program.ts'
import { type HopReply, type HopSocket, openHopSocket } from './hop-socket.ts'

const mostHops = 30
const triesPerHop = 2
const waitMs = 1000
const lookAgainMs = 2
/** After this many silent hops in a row no answer is expected. */
const mostSilentHops = 6
/** Ports without a listener, so that the target reports them; each packet has its own port to tell them apart. */
const firstPort = 33_434

const programs = [
  { path: '/usr/sbin/traceroute', parameters: ['-n', '-q', '1', '-w', '1', '-m', String(mostHops)] },
  { path: '/usr/bin/traceroute', parameters: ['-n', '-q', '1', '-w', '1', '-m', String(mostHops)] },
  { path: '/usr/bin/tracepath', parameters: ['-n', '-m', String(mostHops)] },
] as const

type TracerouteRequest = Extract<DiagnosticRequest, { kind: 'traceroute' }>

/** Writes a line for each router on the way to the host. */
export async function traceRoute(
  { host }: TracerouteRequest,
  attempt: Attempt,
  equipment: Equipment,
  write: (line: string) => void,
): Promise<void> {
  const [address] = await equipment.dialler.resolve(attempt, parseHost(host), 'any')
  write(`route to ${host} (${address.ip}), ${mostHops} hops at most`)
  const socket = openHopSocket(address.ip, address.family)
  if (socket === null) return await traceWithProgram(attempt, address, hopsWriter(address.ip, equipment.screen, write))
  try {
    await trace(socket, attempt, equipment.screen, write)
  } finally {
    socket.close()
  }
}

async function trace(
  socket: HopSocket,
  attempt: Attempt,
  mayBeShown: Screen,
  write: (line: string) => void,
): Promise<void> {
  let silent = 0
  for (let hop = 1; hop <= mostHops; hop += 1) {
    const heard = await tryHop(socket, attempt, hop)
    if (heard === null) {
      silent += 1
      write(`${hop}  *`)
      if (silent === mostSilentHops) throw new Failure('host_unreachable', 'nobody answers any more')
      continue
    }
    silent = 0
    const { reply, elapsedMs } = heard
    // Routers inside the operator's own network are private.
    const name = reply.isTarget || mayBeShown(reply.ip) ? reply.ip : 'private address'
    write(`${hop}  ${name}  ${elapsedMs.toFixed(1)} ms${reply.refusal === null ? '' : `  ${reply.refusal}`}`)
    if (reply.refusal !== null) throw new Failure('host_unreachable', `${name} sends nothing on`)
    if (reply.isTarget) return
  }
  throw new Failure('host_unreachable', `not reached within ${mostHops} hops`)
}

interface Heard {
  readonly reply: HopReply
  readonly elapsedMs: number
}

async function tryHop(socket: HopSocket, attempt: Attempt, hop: number): Promise<Heard | null> {
  for (let turn = 0; turn < triesPerHop; turn += 1) {
    const port = firstPort + hop * triesPerHop + turn
    const sentAt = performance.now()
    if (!socket.send(hop, port)) throw new Failure('sensor_without_network', 'the sensor has no route to the host')
    const reply = await replyWithin(socket, attempt, port)
    if (reply !== null) return { reply, elapsedMs: performance.now() - sentAt }
  }
  return null
}

function replyWithin(socket: HopSocket, attempt: Attempt, port: number): Promise<HopReply | null> {
  return attempt.wait<HopReply | null>((resolve) => {
    const endsAt = performance.now() + waitMs
    const look = (): void => {
      const reply = socket.receive(port)
      if (reply === null && performance.now() < endsAt) timer = setTimeout(look, lookAgainMs)
      else resolve(reply)
    }
    let timer = setTimeout(look, 0)
    return () => clearTimeout(timer)
  })
}

/** Hides the addresses of routers inside the operator's own network. */
export function hopsWriter(target: string, mayBeShown: Screen, write: (line: string) => void): (line: string) => void {
  return (line) => {
    const words = line.split(/([\s(),]+)/)
    write(
      words
        .map((word) => (isIP(word) === 0 || word === target || mayBeShown(word) ? word : 'private address'))
        .join(''),
    )
  }
}

async function traceWithProgram(
  attempt: Attempt,
  address: CheckedAddress,
  write: (line: string) => void,
): Promise<void> {
  const program = programs.find(({ path }) => existsSync(path))
  if (program === undefined) {
    throw new Failure(
      'sensor_not_permitted',
      'this sensor can trace no routes: neither its system nor a program does it',
    )
  }
  const { exitCode, output } = await runProgram(attempt, program.path, [...program.parameters, address.ip])
  for (const line of output.trim().split('\n')) write(line.trim())
  if (exitCode !== 0) throw new Failure('sensor_fault', `${program.path} ended with ${exitCode}`)
}
