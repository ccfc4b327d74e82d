/** A station of its own machine, as far as the program knows: `latarnik sensor`, connected over a WebSocket. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Launched, launch, stop } from '../../test/program/launch.ts'
import { complaintsIn, type ServedProgram } from './served-program.ts'

export interface FarStation {
  readonly sensorId: number
  /** Null while it is away. */
  processId(): number | null
  /** Without a warning, as a power cut does. */
  kill(): Promise<void>
  /** Resolves when the core has heard from it. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Above information, by its text, of all its lives. */
  complaints(): ReadonlyMap<string, number>
}

const builtCommand = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const lookMs = 50
const patienceMs = 60_000

type Json = Readonly<Record<string, unknown>>

async function asAdmin({ api, adminAuthorization }: ServedProgram, method: string, path: string, body?: Json) {
  const headers = { authorization: adminAuthorization, 'content-type': 'application/json' }
  const response = await fetch(`${api}${path}`, {
    ...{ method, headers, signal: AbortSignal.timeout(patienceMs) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Json
}

/** Waits until the core has heard from the station after the moment. */
async function heardAfter(program: ServedProgram, sensorId: number, moment: number): Promise<void> {
  for (let waited = 0; waited < patienceMs; waited += lookMs) {
    const { is_available, last_seen_at } = await asAdmin(program, 'GET', `/admin/sensors/${sensorId}`)
    if (is_available === true && Date.parse(String(last_seen_at)) >= moment) return
    await pause(lookMs)
  }
  throw new Error('the far station does not connect')
}

/** Makes the station known, and starts it. */
export async function startFarStation(program: ServedProgram): Promise<FarStation> {
  const sensorId = Number((await asAdmin(program, 'POST', '/admin/sensors', { name: 'Far' }))['id'])
  const { token } = await asAdmin(program, 'POST', `/admin/sensors/${sensorId}/token`)
  const dataDirectory = await mkdtemp(join(tmpdir(), 'latarnik-operator-far-'))
  const lives: Launched[] = []
  let running: Launched | null = null
  async function end(how: (one: Launched) => Promise<unknown>): Promise<void> {
    const [life] = [running]
    running = null
    if (life !== null) await how(life)
  }
  const station: FarStation = {
    sensorId,
    processId: () => running?.child.pid ?? null,
    kill: () =>
      end((life) => {
        life.child.kill('SIGKILL')
        return life.ended()
      }),
    async start() {
      const startedAt = Date.now()
      const variables = {
        ...{ DATA_DIR: dataDirectory, SENSOR_TOKEN: String(token), ALLOW_PRIVATE_TARGETS: 'all' },
        NODE_EXTRA_CA_CERTS: program.authorityFile,
      }
      running = launch(variables, ['sensor', '--server', new URL(program.api).origin], builtCommand)
      lives.push(running)
      await heardAfter(program, sensorId, startedAt)
    },
    async stop() {
      await end(stop)
      await rm(dataDirectory, { recursive: true, force: true })
    },
    complaints: () => complaintsIn(lives.map((life) => life.stderr()).join('')),
  }
  await station.start()
  return station
}
