// Every type that talks over UDP must survive silence, empty and huge datagrams, garbage and floods.
import { randomBytes } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { needsSensors, serviceTypes } from '../../src/checks/index.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { cpuOfThisThread } from '../support/cpu-time.ts'
import { overDatagrams, ownNastyCases } from '../support/nasty-kinds.ts'

const checker = createChecker()
afterAll(() => checker.stop())

const timeout = 800
const community = 'a-secret-that-nobody-reads'
/** Settings with which no garbage can be the wanted answer. */
const asked: Readonly<Record<string, Settings>> = {
  dns: { query_name: 'www.example.com', query_type: 'A' },
  ntp: {},
  snmp: { community },
  udp: { text_to_send: 'ping', expected_answer_regex: '^pong of our own$' },
}

type Reply = (socket: Socket, from: RemoteInfo, question: Buffer) => void

const say =
  (...answers: readonly Buffer[]): Reply =>
  (socket, { port, address }) => {
    for (const answer of answers) socket.send(answer, port, address)
  }

const plays: Readonly<Record<string, Reply>> = {
  silence: () => undefined,
  'an empty datagram': say(Buffer.alloc(0)),
  'one byte': say(Buffer.from([0x30])),
  garbage: say(randomBytes(500)),
  zeros: say(Buffer.alloc(48)),
  'the largest datagram': say(Buffer.alloc(65_507, 0x30)),
  'garbage behind garbage': say(...Array.from({ length: 500 }, () => randomBytes(200))),
  'the question itself': (socket, from, question) => say(question)(socket, from, question),
  'half of the question': (socket, from, question) =>
    say(question.subarray(0, question.length / 2))(socket, from, question),
}

async function listen(reply: Reply): Promise<number> {
  const socket = createSocket('udp4')
  socket.on('error', () => undefined)
  socket.on('message', (question, from) => reply(socket, from, question))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return socket.address().port
}

function check(typeId: string, port: number) {
  const form = serviceTypes.find(({ id }) => id === typeId)?.addressForm
  const settings = { timeout, ...asked[typeId] }
  if (form === 'host_port') return checker.check(typeId, `127.0.0.1:${port}`, settings)
  return checker.check(typeId, '127.0.0.1', { ...settings, port })
}

describe.each(Object.keys(asked))('%s', (typeId) => {
  test.each(Object.entries(plays))('%s is a failure of the server, told in time', async (_what, reply) => {
    const port = await listen(reply)
    const cpuMs = cpuOfThisThread()
    const result = await check(typeId, port)
    expect(result.result, `${verdictOf(result)} ${result.errorMessage}`).toBe('error')
    expect(cpuMs()).toBeLessThan(3000)
    expect(JSON.stringify(result)).not.toContain(community)
    expect(result.errorMessage?.length ?? 0).toBeLessThan(700)
  })
})

test('the checks with nasty cases of their own are there, and so are the files', () => {
  const checks = [...new Set(serviceTypes.filter(({ id }) => needsSensors(id)).map((type) => type.check))]
  expect(checks).toEqual(expect.arrayContaining([...Object.keys(asked), ...Object.keys(ownNastyCases)]))
  expect(Object.keys(asked).toSorted()).toEqual([...overDatagrams].toSorted())
  const files = Object.values(ownNastyCases).flat()
  expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([])
})
