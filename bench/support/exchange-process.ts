/** The far end of an exchange: a process whose station answers each job at once. */
import { connect } from '../../src/database/connect.ts'
import { DatabaseCarrier } from '../../src/message-bus/database-carrier.ts'
import { MessageBus } from '../../src/message-bus/message-bus.ts'
import { NatsCarrier } from '../../src/message-bus/nats-carrier.ts'
import type { CheckJob, CheckResult, Stations } from '../../src/sensor/protocol.ts'

const [databaseUrl = '', natsUrl = ''] = process.argv.slice(2)
const log = () => undefined
const clock = { now: () => Date.now() }
const coreKey = Buffer.alloc(32, 7)

function answer(job: CheckJob): Promise<CheckResult> {
  const { serviceId, sensorId, startAt: startedAt } = job
  const phases = { dns: 0.51, connect: 1.27, tls: 4.1, sent: 0.1, first_byte: 9.33, transfer: 1.2 }
  const nothing = { errorTypeId: null, errorMessage: null, steps: null, evidence: null }
  return Promise.resolve({
    ...{ serviceId, sensorId, result: 'ok', startedAt, responseTime: 17, dataSize: 2048, phases },
    ...nothing,
  })
}

const stations: Stations = {
  isConnected: () => true,
  leadMs: () => 0,
  check: answer,
  diagnose: () => Promise.resolve({ isOk: false, lines: [] }),
}
const exchange = new MessageBus({
  carriers: [
    ...(natsUrl === '' ? [] : [new NatsCarrier({ servers: [natsUrl], core: 'bench', coreKey, clock, log })]),
    new DatabaseCarrier({ database: connect({ url: databaseUrl }), log }),
  ],
  ...{ roles: ['api'], clock, log },
  held: { stations, sensors: () => [{ id: 1, connectionNo: 1, leadMs: 0 }], giveWay: () => undefined },
})
await exchange.start()
let before = process.cpuUsage()
process.on('message', () => {
  const { user, system } = process.cpuUsage(before)
  before = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1000 })
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
