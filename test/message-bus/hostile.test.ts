import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { encodeAnnouncement } from '../../src/message-bus/announcement.ts'
import type { Carrier, CarrierListener } from '../../src/message-bus/carrier.ts'
import { decodeFrame, encodeFrames } from '../../src/message-bus/frames.ts'
import { decodeMessage, encodeMessage } from '../../src/message-bus/message.ts'
import { MessageBus } from '../../src/message-bus/message-bus.ts'
import type { CheckResult } from '../../src/sensor/protocol.ts'
import { verdictOf } from '../support/check.ts'
import { fakeStations } from '../support/fake-stations.ts'
import { checkOf } from '../support/message-bus.ts'

/** A process whose carrier is the test, which says in the names of others what it likes. */
interface Rig {
  readonly bus: MessageBus
  readonly listener: CarrierListener
  readonly log: readonly string[]
  /** The messages of the process to another one, without acknowledgements. */
  sentTo(peer: string): readonly string[]
  /** A frame of the other process; each name says its frames in order. */
  say(peer: string, frame: string): void
  present(peer: string, sensorId: number): void
}

const started: MessageBus[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop(0)))
})

async function rig(): Promise<Rig> {
  const heard: CarrierListener[] = []
  const sent: { readonly to: string; readonly message: Buffer }[] = []
  const carrier: Carrier = {
    ...{ name: 'test', isUp: true, isSettled: true, longestBytes: 100_000, usualMs: 1 },
    start: async (_me, listener) => void heard.push(listener),
    announce: () => undefined,
    send: (to, message) => void sent.push({ to, message }),
    stop: async () => undefined,
  }
  const log: string[] = []
  const stations = fakeStations()
  stations.connect(1)
  const bus = new MessageBus({
    ...{ carriers: [carrier], roles: ['api'], clock: { now: () => Date.now() } },
    held: { stations, sensors: () => [{ id: 1, connectionNo: 1, leadMs: 0 }], giveWay: () => undefined },
    log: (_level, message) => void log.push(message),
  })
  started.push(bus)
  await bus.start()
  const [listener] = heard
  if (listener === undefined) throw new Error('nobody listens')
  const numbers = new Map<string, number>()
  return {
    ...{ bus, listener, log },
    sentTo: (peer) =>
      sent.flatMap(({ to, message }) => {
        const piece = decodeMessage(message)?.piece.toString() ?? ''
        return to === peer && piece !== '' ? [piece] : []
      }),
    say(peer, frame) {
      const number = (numbers.get(peer) ?? 0) + 1
      numbers.set(peer, number)
      const head = { from: peer, stream: 's', number, part: 0, parts: 1, acknowledgedStream: '', acknowledged: [] }
      listener.message(encodeMessage({ ...head, piece: Buffer.from(frame) }))
    },
    present: (peer, sensorId) =>
      listener.present(
        peer,
        encodeAnnouncement({
          ...{ revision: 1, roles: ['sensor'], isLeaving: false },
          sensors: [{ id: sensorId, connectionNo: 1, leadMs: 0 }],
        }),
      ),
  }
}

const job = checkOf(1)
const result = {
  ...{ serviceId: 7, sensorId: 2, result: 'ok', startedAt: 1, responseTime: 5, dataSize: 5, errorTypeId: null },
  ...{ errorMessage: null, phases: null, steps: null, evidence: null },
}
const evidence = {
  ...{ base_url: '', ip_address: null, status_code: null, response_headers: null, content_type: null },
  ...{ file_name: null, facts: {}, artifacts: [] },
}
const shunned = 'Another process sent an invalid frame; it is ignored for a while.'

test.each([
  ['no JSON', '{'],
  ['no object', 'null'],
  ['no kind', '{}'],
  ['no items', '{"kind":"jobs"}'],
  ['items that are none', '{"kind":"jobs","items":{"length":3}}'],
  ['a job that is none', '{"kind":"jobs","items":[[1,null]]}'],
  ['an item without a number', '{"kind":"jobs","items":[null]}'],
  ['a job without a deadline', JSON.stringify({ kind: 'jobs', items: [[1, { ...job, deadlineAt: null }]] })],
  ['a job with settings of a kind', JSON.stringify({ kind: 'jobs', items: [[1, { ...job, settings: { a: {} } }]] })],
  ['a number that is none', JSON.stringify({ kind: 'jobs', items: [['1', job]] })],
  ['a diagnosis of nothing', '{"kind":"diagnose","items":[[1,{"sensorId":1,"deadlineAt":1}]]}'],
  ['a result that is none', '{"kind":"results","items":[[1,null]]}'],
  ['an outcome that is none', JSON.stringify({ kind: 'results', items: [[1, { ...result, result: 'splendid' }]] })],
  ['evidence that is none', JSON.stringify({ kind: 'results', items: [[1, { ...result, evidence: 5 }]] })],
  [
    'an artifact that is none',
    JSON.stringify({ kind: 'results', items: [[1, { ...result, evidence: { ...evidence, artifacts: [{}] } }]] }),
  ],
  ['found lines that are none', '{"kind":"diagnoses","items":[[1,{"isOk":true,"lines":[{}]}]]}'],
])('%s costs its sender what was asked of it, and nobody else anything', async (_what, frame) => {
  const { bus, say, present, log, sentTo } = await rig()
  present('bad', 2)
  present('good', 3)
  const [ofBad, ofGood] = [bus.check(checkOf(2)), bus.check(checkOf(3))]
  await expect.poll(() => sentTo('good').length).toBe(1)
  say('bad', frame)
  expect(verdictOf(await ofBad)).toBe('sensor_lost')
  expect(log).toContain(shunned)
  present('bad', 2)
  expect([bus.isConnected(2), bus.isConnected(3)]).toEqual([false, true])
  say('good', JSON.stringify({ kind: 'results', items: [[1, { ...result, sensorId: 3 }]] }))
  expect(verdictOf(await ofGood)).toBe('ok')
  say('good', encodeFrames({ kind: 'jobs', items: [[1, job]] })[0]?.toString() ?? '')
  await expect.poll(() => sentTo('good').some((sent) => sent.includes('"results"'))).toBe(true)
})

test('a frame of a kind that only a later version knows is left alone', async () => {
  const { bus, say, present, log } = await rig()
  present('later', 2)
  say('later', '{"kind":"songs","items":[[1,null]]}')
  expect(bus.isConnected(2)).toBe(true)
  expect(log).not.toContain(shunned)
})

test('a job and a result travel whole, with all that a check can tell', () => {
  const phases = { dns: 0.5, connect: 1, tls: null, sent: 0, first_byte: 2, transfer: 3 }
  const whole: CheckResult = {
    ...{ serviceId: 7, sensorId: 2, result: 'error', startedAt: 1, responseTime: 5, dataSize: 5, errorTypeId: 4303 },
    ...{ errorMessage: 'status 500', phases, steps: [{ name: 'open', result: 'error', responseTime: 5 }] },
    evidence: {
      ...{ base_url: 'http://a/', ip_address: '192.0.2.1', status_code: 500, response_headers: 'A: b' },
      ...{
        content_type: 'text/html',
        file_name: 'a.html',
        facts: { warnings: 'one', redirects: 2, late: true, none: null },
      },
      artifacts: [{ typeId: 'content', contentType: 'text/html', bytes: Buffer.from('<h1>') }],
      missing: [
        { id: 'screenshot', reason: 'timed_out' },
        { id: 'har', reason: 'not_taken' },
      ],
    },
  }
  const sent = [
    { kind: 'results', items: [[1, whole]] },
    { kind: 'jobs', items: [[1, checkOf(2)]] },
    { kind: 'jobs', items: [[1, { ...checkOf(2), ownerKey: 'abc' }]] },
    { kind: 'jobs', items: [[1, { ...checkOf(2), wantsScreenshot: true }]] },
  ] as const
  for (const frame of sent) {
    expect(encodeFrames(frame).map((bytes) => decodeFrame(bytes))).toEqual([frame])
  }
})

test('an answer about another service or sensor than was asked is no answer', async () => {
  const { bus, say, present, sentTo } = await rig()
  present('other', 2)
  const answer = bus.check(checkOf(2))
  await expect.poll(() => sentTo('other').length).toBe(1)
  const lies = [
    [1, { ...result, serviceId: 8, result: 'error' }],
    [1, { ...result, sensorId: 3, result: 'error' }],
  ]
  say('other', JSON.stringify({ kind: 'results', items: lies }))
  say('other', JSON.stringify({ kind: 'results', items: [[1, result]] }))
  expect(await answer).toMatchObject({ serviceId: 7, sensorId: 2, result: 'ok' })
})

test('numbers and texts without measure are cut to what history keeps', async () => {
  const { bus, say, present, sentTo } = await rig()
  present('other', 2)
  const answer = bus.check(checkOf(2))
  await expect.poll(() => sentTo('other').length).toBe(1)
  const phases = { dns: -1, connect: 1e300, tls: null, sent: null, first_byte: 1, transfer: 0.5 }
  const long = { dataSize: 1e300, responseTime: -5, errorMessage: 'x'.repeat(100_000), phases }
  const said = { ...result, result: 'error', ...long }
  say('other', JSON.stringify({ kind: 'results', items: [[1, said]] }))
  const { dataSize, responseTime, errorMessage, ...rest } = await answer
  expect(rest.phases).toEqual({ ...phases, dns: 0, connect: 2_000_000 })
  expect([dataSize, responseTime, errorMessage?.length]).toEqual([2_147_483_647, 0, 4000])
})

test.each([
  ['no JSON', 'x'],
  ['nothing', 'null'],
  ['no sensors', '{"protocol":1,"revision":1,"roles":[],"leaving":false}'],
  ['roles that are none', '{"protocol":1,"revision":1,"roles":{"map":1},"leaving":false,"sensors":[]}'],
])('an announcement of %s makes nobody known', async (_what, text) => {
  const { bus, listener, log } = await rig()
  listener.present('bad', text)
  listener.present('../etc', '{}')
  expect([...bus.otherRoles()]).toEqual([])
  expect(log).toEqual([shunned])
})

test('nothing that comes as a message ends the process, or keeps memory beyond its bounds', async () => {
  const { listener, bus, present } = await rig()
  const number = fc.oneof(fc.nat().map(String), fc.constantFrom('1e308', '-1', 'NaN', '', '4294967295', '0.5'))
  const word = fc.oneof(fc.stringMatching(/^[\w-]{0,5}$/), fc.string({ maxLength: 5 }))
  fc.assert(
    fc.property(word, word, number, number, number, word, number, fc.string(), (...words) => {
      listener.message(Buffer.from(`${words.slice(0, 7).join(' ')}\n${words[7]}`))
    }),
    { numRuns: 2000 },
  )
  fc.assert(fc.property(fc.json(), (text) => listener.present('p1', text)))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => listener.message(Buffer.from(bytes))),
    { numRuns: 500 },
  )
  present('good', 5)
  expect(bus.isConnected(5)).toBe(true)
})
