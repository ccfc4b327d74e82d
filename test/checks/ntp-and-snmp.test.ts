import { execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createChecker, verdictOf } from '../support/check.ts'
import { freePort, installedProgram } from '../support/real-server.ts'

const checker = createChecker()

async function answering(answer: (question: Buffer) => Buffer | null): Promise<number> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const said = answer(question)
    if (said !== null) socket.send(said, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return (socket.address() as AddressInfo).port
}

describe('NTP', () => {
  interface Clock {
    readonly offset?: number
    readonly first?: number
    readonly stratum?: number
    readonly reference?: string
  }

  /** As RFC 5905 has a server answer. */
  const timeServer =
    ({ offset = 0, first = 0x24, stratum = 2, reference = 'GPS\0' }: Clock) =>
    (question: Buffer): Buffer => {
      const answer = Buffer.alloc(48)
      answer[0] = first
      answer[1] = stratum
      answer.write(reference, 12, 'latin1')
      question.copy(answer, 24, 40, 48)
      const now = (Date.now() + offset) / 1000 + 2_208_988_800
      for (const at of [32, 40]) {
        answer.writeUInt32BE(Math.floor(now) % 2 ** 32, at)
        answer.writeUInt32BE(Math.floor((now % 1) * 2 ** 32), at + 4)
      }
      return answer
    }
  const check = (port: number, settings: object = {}) =>
    checker.check('ntp', '127.0.0.1', { port, timeout: 2000, ...settings })

  test.each([
    [{}, {}, 'ok'],
    [{ offset: 600 }, {}, 'ok'],
    [{ offset: -5000 }, {}, 'server_clock_off'],
    [{ offset: 5000 }, { maximum_offset: 10_000 }, 'ok'],
    [{ first: 0xe4 }, {}, 'server_clock_unsynchronised'],
    [{ stratum: 16 }, {}, 'server_clock_unsynchronised'],
    [{ stratum: 4 }, { maximum_stratum: 3 }, 'server_clock_unsynchronised'],
    [{ stratum: 0, reference: 'RATE' }, {}, 'protocol_refused'],
    [{ first: 0x23 }, {}, 'protocol_not_spoken'],
  ])('a server with the clock %j, asked with %j: %s', async (clock, settings, verdict) => {
    const result = await check(await answering(timeServer(clock)), settings)
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  })

  test('the clock of the station counts as it is now, also after it was set', async () => {
    const real = Date.now.bind(Date)
    const set = vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000)
    onTestFinished(() => set.mockRestore())
    const result = await check(await answering(timeServer({})))
    expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  })

  test('the offset is told, and is not the way there and back', async () => {
    const { errorMessage } = await check(await answering(timeServer({ offset: 5000 })))
    const told = Number(/^(-?\d+) ms off/.exec(errorMessage ?? '')?.[1])
    expect(Math.abs(told - 5000)).toBeLessThan(500)
  })

  test.each([
    ['half an answer', (question: Buffer) => question.subarray(0, 20), 'protocol_not_spoken'],
    ['an answer to another question', () => timeServer({})(Buffer.alloc(48, 7)), 'protocol_not_spoken'],
    ['nothing', () => null, 'udp_no_answer'],
  ])('%s: %s', async (_what, answer, verdict) => {
    expect(verdictOf(await check(await answering(answer), { timeout: 500 }))).toBe(verdict)
  })

  test('a question that gets lost is asked anew, and the second is what is timed', async () => {
    let times = 0
    const port = await answering((question) => {
      times += 1
      return times === 1 ? null : timeServer({})(question)
    })
    expect(verdictOf(await check(port, { timeout: 3000, maximum_offset: 700 }))).toBe('ok')
  })
})

describe('SNMP', () => {
  const check = (port: number, settings: object = {}) =>
    checker.check('snmp', '127.0.0.1', { port, timeout: 2000, ...settings })
  const tlv = (tag: number, ...parts: readonly (Uint8Array | readonly number[] | string)[]): Buffer => {
    const body = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Uint8Array.from(part))),
    )
    return Buffer.concat([Buffer.from(body.length < 128 ? [tag, body.length] : [tag, 0x81, body.length]), body])
  }
  const asked: string[] = []

  /** Reads each field of the request where it must be; answers with the value, or the error status. */
  const device =
    (value: Buffer, status = 0) =>
    (question: Buffer): Buffer | null => {
      const hex = question.toString('hex')
      asked.push(hex)
      const match =
        /^30..0204000000010406(7075626c6963|736573616d65)a0..0204(.{8})02040000000002040000000030..30..(06..(?:..)*?)0500$/
      const [, community, id = '', oid = ''] = match.exec(hex) ?? []
      if (community !== '736573616d65') return null
      const binding = tlv(0x30, tlv(0x30, Buffer.from(oid, 'hex'), value))
      const response = tlv(0xa2, tlv(2, Buffer.from(id, 'hex')), tlv(2, [status]), tlv(2, [0]), binding)
      return tlv(0x30, tlv(2, [1]), tlv(4, 'sesame'), response)
    }

  const community = 'sesame'
  test.each([
    [tlv(0x43, [0x01, 0x00]), '=', '256', 'ok'],
    [tlv(0x02, [0xff]), '=', '-1', 'ok'],
    [tlv(0x42, [0x00, 0xff, 0xff, 0xff, 0xff]), '>', '4294967294', 'ok'],
    [tlv(0x46, Buffer.alloc(8, 0xff)), '>', '18446744073709000000', 'ok'],
    [tlv(0x04, 'żagiel'), '=', 'żagiel', 'ok'],
    [tlv(0x04, 'mast'), '=', 'żagiel', 'value_differs'],
    [tlv(0x06, [0x2b, 6, 1, 4, 1, 0x82, 0x37]), '=', '1.3.6.1.4.1.311', 'ok'],
    [tlv(0x40, [192, 0, 2, 10]), '=', '192.0.2.10', 'ok'],
    [tlv(0x80), '=', '1', 'value_missing'],
    [tlv(0x81), '=', '1', 'value_missing'],
    [tlv(0x02), '=', '1', 'protocol_not_spoken'],
  ] as const)('%j %s %s: %s', async (value, comparison, expected_value, verdict) => {
    const result = await check(await answering(device(value)), { community, comparison, expected_value })
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  })

  test('the object is asked for as the standard has it', async () => {
    const port = await answering(device(tlv(2, [1])))
    expect(verdictOf(await check(port, { community, oid: '.1.3.6.1.4.1.2021.10.1.3.4294967295' }))).toBe('ok')
    expect(asked.at(-1)).toContain('060f2b060104018f650a01038fffffff7f0500')
    expect(verdictOf(await check(port, { community, oid: '1.3.99999999999' }))).toBe('setting_invalid')
  })

  test.each([
    [5, 'query_refused'],
    [2, 'value_missing'],
  ])('error status %i: %s', async (status, verdict) => {
    expect(verdictOf(await check(await answering(device(tlv(5), status)), { community }))).toBe(verdict)
  })

  test.each([
    ['a wrong community', device(tlv(2, [1])), 'udp_no_answer', {}],
    ['garbage', () => Buffer.from('hello'), 'protocol_not_spoken', { community }],
    [
      'a length beyond the end',
      () => Buffer.from([0x30, 0x84, 255, 255, 255, 255]),
      'protocol_not_spoken',
      { community },
    ],
    ['the question itself', (question: Buffer) => question, 'protocol_not_spoken', { community }],
  ] as const)('%s: %s', async (_what, answer, verdict, settings) => {
    expect(verdictOf(await check(await answering(answer), { timeout: 600, ...settings }))).toBe(verdict)
  })

  test('a real agent', { timeout: 60_000 }, async (context) => {
    const program = installedProgram('snmpd')
    if (program === null) return context.skip('snmpd is not installed (SNMPD names another place)')
    const directory = mkdtempSync(join(tmpdir(), 'latarnik-snmp-'))
    const port = await freePort()
    const configuration = join(directory, 'snmpd.conf')
    writeFileSync(configuration, `agentaddress udp:127.0.0.1:${port}\nrocommunity sesame\nsysLocation Hel\n`)
    const agent = spawn(program, ['-f', '-C', '-c', configuration, '-Lf', '/dev/null', '-p', join(directory, 'pid')])
    onTestFinished(() => {
      agent.kill()
      rmSync(directory, { recursive: true })
    })
    await expect.poll(async () => (await check(port, { community })).result).toBe('ok')
    const location = { community, oid: '1.3.6.1.2.1.1.6.0', expected_value: 'Hel' }
    expect(verdictOf(await check(port, location))).toBe('ok')
    expect(verdictOf(await check(port, { ...location, oid: '1.3.6.1.2.1.1.99.0' }))).toBe('value_missing')
    expect(verdictOf(await check(port, { timeout: 700 }))).toBe('udp_no_answer')
  })
})

test('a real time server', { timeout: 60_000 }, async (context) => {
  const program = installedProgram('chronyd')
  if (program === null) return context.skip('chronyd is not installed (CHRONYD names another place)')
  const directory = mkdtempSync(join(tmpdir(), 'latarnik-ntp-'))
  const port = await freePort()
  const lines = [
    `port ${port}`,
    'bindaddress 127.0.0.1',
    'allow',
    'local stratum 5',
    'cmdport 0',
    `pidfile ${directory}/pid`,
  ]
  const server = spawn(program, ['-d', '-x', '-u', execFileSync('id', ['-un'], { encoding: 'utf8' }).trim(), ...lines])
  onTestFinished(() => {
    server.kill()
    rmSync(directory, { recursive: true })
  })
  await expect.poll(async () => verdictOf(await checker.check('ntp', '127.0.0.1', { port, timeout: 1000 }))).toBe('ok')
})
