import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readCore } from '../../src/database/processes.ts'
import { encodeAnnouncement } from '../../src/message-bus/announcement.ts'
import { encodeMessage } from '../../src/message-bus/message.ts'
import { verdictOf } from '../support/check.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { checkOf, reaches, type TestProcess, testProcess } from '../support/message-bus.ts'
import { type NatsServer, natsMissing, startNatsServer } from '../support/nats-server.ts'
import { patiently } from '../support/patience.ts'

let server: NatsServer | null = null
let stranger: NatsConnection | null = null
let database: TestDatabase
const processes: TestProcess[] = []

beforeAll(async () => {
  database = await testDatabase()
  if (natsMissing !== null) return
  server = await startNatsServer()
  stranger = await connect({ servers: [server.url] })
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.stop()))
})
afterAll(async () => {
  await stranger?.close()
  await server?.kill()
  await database.drop()
})

interface Met {
  readonly stranger: NatsConnection
  /** The messages that the stranger receives, with their subjects. */
  readonly heard: readonly { readonly subject: string; readonly data: Buffer }[]
  readonly asking: TestProcess
  readonly holding: TestProcess
}

/** Two processes that talk, and a client of their broker that listens to everything. */
async function meet(skip: (reason: string) => never): Promise<Met> {
  if (server === null || stranger === null) {
    process.stdout.write(`NOT TESTED: a stranger at the broker: ${natsMissing}\n`)
    return skip(natsMissing ?? '')
  }
  const heard: { subject: string; data: Buffer }[] = []
  stranger.subscribe('>', {
    callback: (_error, { subject, data }) => void heard.push({ subject, data: Buffer.from(data) }),
  })
  await stranger.flush()
  const [asking, holding] = [await testProcess({ natsUrl: server.url }), await testProcess({ natsUrl: server.url })]
  processes.push(asking, holding)
  holding.hold(1)
  await reaches(asking, 1)
  return { stranger, heard, asking, holding }
}

test('a stranger at the broker reads no password and no announcement', async ({ skip }) => {
  const { heard, asking } = await meet(skip)
  const settings = { password: 'of the shop' }
  expect(verdictOf(await asking.bus.check(checkOf(1, { settings })))).toBe('ok')
  const said = heard.map(({ data }) => data.toString('latin1')).join('\n')
  expect(heard.length).toBeGreaterThan(2)
  expect(said).not.toMatch(/of the shop|shop\.example|roles|sensors|"kind"/)
})

test('a stranger can announce no sensor, and bring nobody to anything', async ({ skip }) => {
  const { stranger: client, heard, asking, holding } = await meet(skip)
  const announcement = encodeAnnouncement({
    ...{ revision: 1, roles: ['sensor'], isLeaving: false },
    sensors: [{ id: 99, connectionNo: 9, leadMs: 0 }],
  })
  const piece = Buffer.from('{"kind":"jobs","items":[[1,null]]}')
  const head = { from: 'stranger', stream: 's', number: 1, part: 0, parts: 1, acknowledgedStream: '', acknowledged: [] }
  expect(verdictOf(await asking.bus.check(checkOf(1)))).toBe('ok')
  const subjects = [...new Set(heard.map(({ subject }) => subject))]
  expect(subjects.length).toBeGreaterThan(1)
  for (const subject of subjects) {
    client.publish(subject, `stranger\n${announcement}`)
    client.publish(subject, announcement)
    client.publish(subject, encodeMessage({ ...head, piece }))
    client.publish(subject, '')
  }
  await client.flush()
  const told = 'A message that no process of this core sent just now is refused; others are counted.'
  await vi.waitFor(() => expect([asking.log, holding.log]).toEqual(Array(2).fill(expect.arrayContaining([told]))), {
    ...patiently,
  })
  expect(asking.log.filter((message) => message === told)).toHaveLength(1)
  expect([asking.bus.isConnected(99), asking.bus.isConnected(1)]).toEqual([false, true])
  expect(verdictOf(await asking.bus.check(checkOf(1)))).toBe('ok')
})

test('what was said before is not believed again', async ({ skip }) => {
  const { stranger: client, heard, asking, holding } = await meet(skip)
  expect(verdictOf(await asking.bus.check(checkOf(1)))).toBe('ok')
  for (const { subject, data } of [...heard]) client.publish(subject, data)
  await client.flush()
  expect(verdictOf(await asking.bus.check(checkOf(1)))).toBe('ok')
  expect(holding.stations.jobs).toHaveLength(2)
})

test('all processes of a database have one key, and each database its own', async () => {
  const other = await testDatabase()
  const [first, second, third] = [
    ...(await Promise.all([readCore(database.database), readCore(database.database)])),
    await readCore(other.database),
  ]
  expect(first?.key).toHaveLength(32)
  expect(second).toEqual(first)
  expect([third?.id === first?.id, third?.key.equals(first?.key ?? Buffer.alloc(0))]).toEqual([false, false])
  await other.drop()
})
