import { vi } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import type { HeldSensor } from '../../src/message-bus/announcement.ts'
import type { Carrier } from '../../src/message-bus/carrier.ts'
import { DatabaseCarrier } from '../../src/message-bus/database-carrier.ts'
import { MessageBus } from '../../src/message-bus/message-bus.ts'
import { NatsCarrier } from '../../src/message-bus/nats-carrier.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'
import { type FakeStations, fakeStations } from './fake-stations.ts'
import { patiently } from './patience.ts'

/** The carriers between the processes of a test. */
export interface Ways {
  readonly database?: Database
  readonly natsUrl?: string
}

export interface TestProcess {
  readonly bus: MessageBus
  /** The stations that it has. */
  readonly stations: FakeStations
  readonly log: readonly string[]
  readonly gaveWay: readonly number[]
  /** Lets a station connect, as its so-and-so-manieth connection; 0 for one of this machine. */
  hold(sensorId: number, connectionNo?: number): void
  lose(sensorId: number): void
  /** As when the process is killed: nothing is heard of it any more. */
  die(): void
  stop(): Promise<void>
}

const testCoreKey = Buffer.alloc(32, 7)
const clock = { now: () => Date.now() }

/** Milliseconds: longer than the silence that makes a process dead for the others. */
const deadMs = 6000

/** A carrier that a test can cut off. */
function mortal(carrier: Carrier, isDead: () => boolean): Carrier {
  return {
    ...{ name: carrier.name, usualMs: carrier.usualMs },
    get isUp() {
      return carrier.isUp && !isDead()
    },
    get isSettled() {
      return carrier.isSettled
    },
    get longestBytes() {
      return carrier.longestBytes
    },
    start: (processId, listener) =>
      carrier.start(processId, {
        message: (message) => void (isDead() || listener.message(message)),
        present: (...seen) => void (isDead() || listener.present(...seen)),
        gone: (processId) => void (isDead() || listener.gone(processId)),
        refused: (reason) => void (isDead() || listener.refused(reason)),
      }),
    announce: (announcement) => void (isDead() || carrier.announce(announcement)),
    send: (...sent) => void (isDead() || carrier.send(...sent)),
    stop: () => carrier.stop(),
  }
}

export async function testProcess({ database, natsUrl }: Ways): Promise<TestProcess> {
  const log: string[] = []
  const note = (_level: string, message: string) => void log.push(message)
  const stations = fakeStations()
  const held = new Map<number, HeldSensor>()
  const gaveWay: number[] = []
  let isDead = false
  const carriers = [
    ...(natsUrl === undefined
      ? []
      : [new NatsCarrier({ servers: [natsUrl], core: 'test', coreKey: testCoreKey, clock, log: note })]),
    ...(database === undefined ? [] : [new DatabaseCarrier({ database, log: note, deadMs })]),
  ]
  const bus = new MessageBus({
    carriers: carriers.map((carrier) => mortal(carrier, () => isDead)),
    roles: ['api'],
    held: {
      stations,
      sensors: () => [...held.values()],
      giveWay: (sensorId) => void gaveWay.push(sensorId),
    },
    clock,
    log: note,
  })
  await bus.start()
  return {
    ...{ bus, stations, log, gaveWay },
    hold(sensorId, connectionNo = 1) {
      stations.connect(sensorId)
      held.set(sensorId, { id: sensorId, connectionNo, leadMs: 0 })
    },
    lose(sensorId) {
      stations.disconnect(sensorId)
      held.delete(sensorId)
    },
    die() {
      isDead = true
    },
    stop: () => bus.stop(1000),
  }
}

/** Resolves when one process reaches the sensor, or does not any more. */
export async function reaches({ bus }: TestProcess, sensorId: number, is = true): Promise<void> {
  await vi.waitFor(() => {
    if (bus.isConnected(sensorId) !== is) throw new Error(`sensor ${sensorId}: ${!is}`)
  }, patiently)
}

export function checkOf(sensorId: number, more: Partial<CheckJob> = {}): CheckJob {
  const startAt = Date.now()
  return {
    ...{ serviceId: 7, sensorId, typeId: 'http', address: 'shop.example', settings: { timeout: 5000, body: 'zażółć' } },
    ...{ startAt, deadlineAt: startAt + 10_000 },
    ...more,
  }
}
