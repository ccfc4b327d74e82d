import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { loadOpenDescriptor } from '../../src/sensor/ping/echo-socket.ts'
import { encodeEcho, sequenceOfReply } from '../../src/sensor/ping/packet.ts'
import { createPinger, type Pinger, type PingerOptions } from '../../src/sensor/ping/pinger.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { clock, jobFor, neverBlind, verdictOf } from '../support/check.ts'
import { patiently } from '../support/patience.ts'
import { pingThere } from '../support/ping-namespace.ts'
import { pingNamespaceMissing } from '../support/ping-rights.ts'

const folder = mkdtempSync(join(tmpdir(), 'ping-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function pingWith(pinger: Pinger, address: string, settings: Settings = {}, typeId = 'ping') {
  return runCheck(jobFor(typeId, address, settings), {
    equipment: { ...createEquipment({ allow: 'all' }), pinger },
    watch: neverBlind,
    clock,
  })
}

/** A stand-in for the system's program, which may be missing or not permitted here. */
function program(script: string): PingerOptions {
  const path = join(folder, `ping-${Math.random().toString(36).slice(2)}`)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return { openDescriptor: null, program: path }
}

const missing = await pingNamespaceMissing()
const pinged = (address: string, settings: Settings = {}, typeId = 'ping') => ({ typeId, address, settings })

describe.skipIf(missing !== null)(
  `over an unprivileged socket${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    test('IPv4 and IPv6 loopback answer', async () => {
      const { way, seen } = await pingThere([pinged('127.0.0.1'), pinged('::1', {}, 'ping_ipv6')])
      expect(way).toBe('socket')
      expect(seen).toEqual([
        { verdict: 'ok', message: null, responseTime: expect.any(Number) },
        { verdict: 'ok', message: null, responseTime: expect.any(Number) },
      ])
    })

    test('replies find their requests among many at once', async () => {
      const addresses = Array.from({ length: 200 }, (_none, index) => `127.0.0.${(index % 50) + 1}`)
      const { seen } = await pingThere(addresses.map((address) => pinged(address)))
      expect(seen).toHaveLength(200)
      expect(seen.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    })

    test('more bytes than fit a packet are clamped', async () => {
      const { seen } = await pingThere([pinged('127.0.0.1', { bytes_to_send: 65_535 })])
      expect(seen.map(({ verdict, message }) => message ?? verdict)).toEqual(['ok'])
    })

    test('an address without a way to it is no fault of the target', async () => {
      const { seen } = await pingThere([pinged('192.0.2.1')])
      expect(seen.map(({ verdict }) => verdict)).toEqual(['sensor_without_network'])
    })
  },
)

test('the way is found out from what the machine permits', () => {
  expect(createPinger({ openDescriptor: () => -1, program: '/bin/ping' }).way()).toBe('program')
  expect(createPinger({ openDescriptor: null, program: null }).way()).toBe('none')
  expect(typeof loadOpenDescriptor()).toBe(process.platform === 'linux' ? 'function' : 'object')
})

test('a station that cannot ping says so and blames nobody', async () => {
  const result = await pingWith(createPinger({ openDescriptor: null, program: null }), '127.0.0.1')
  expect(result.result).toBe('unknown')
  expect(verdictOf(result)).toBe('sensor_cannot_ping')
})

test('the program gets the literal address and its round trip is the response time', async () => {
  const pinger = createPinger(
    program('[ "$7" = 56 ] || exit 9; echo "64 bytes from $8: icmp_seq=1 ttl=64 time=41.6 ms"'),
  )
  const wrong = await pingWith(pinger, '127.0.0.1', { bytes_to_send: 57 })
  expect(verdictOf(wrong)).toBe('sensor_fault')
  const result = await pingWith(pinger, '127.0.0.1', { bytes_to_send: 56 })
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  expect(result.responseTime).toBe(42)
})

test.each([
  ['no reply', 'sleep 0.05; exit 1', 'ping_no_reply'],
  ['hanging', 'sleep 5', 'ping_no_reply'],
  ['an unreachable host', 'echo "From 192.0.2.1 icmp_seq=1 Destination Host Unreachable"; exit 1', 'ping_unreachable'],
  ['no network', 'echo "ping: connect: Network is unreachable" >&2; exit 2', 'sensor_without_network'],
  ['no permission', 'echo "ping: socket: Operation not permitted" >&2; exit 2', 'sensor_cannot_ping'],
])('the program reports %s', async (_what, script, verdict) => {
  const job = { ...jobFor('ping', '127.0.0.1', { reply_timeout: 300 }), deadlineAt: clock.now() + 300 }
  const equipment = { ...createEquipment({ allow: 'all' }), pinger: createPinger(program(script)) }
  // On a busy machine the truth guard may rightly say that this process was held; then the question is asked again.
  await vi.waitFor(async () => {
    const { now } = clock
    const fresh = { ...job, startAt: now(), deadlineAt: now() + 300 }
    expect(verdictOf(await runCheck(fresh, { equipment, watch: neverBlind, clock }))).toBe(verdict)
  }, patiently)
})

test('echo packets carry their sequence number', () => {
  const request = encodeEcho(4, 513, 10)
  expect(request.length).toBe(18)
  expect(sequenceOfReply(4, request)).toBeNull()
  request[0] = 0
  expect(sequenceOfReply(4, request)).toBe(513)
  expect(encodeEcho(4, 1, 65_535).length).toBe(65_515)
  expect(encodeEcho(6, 1, 65_535).length).toBe(65_535)
})
