import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { connectToCore } from '../../src/sensor/far/core-connection.ts'
import { KeptResults } from '../../src/sensor/far/kept-results.ts'
import { heartbeatMs } from '../../src/sensor/far/wire.ts'
import type { CheckJob, CheckResult } from '../../src/sensor/protocol.ts'
import { type FarCore, farCore, farJob } from '../support/far-core.ts'
import { patiently } from '../support/patience.ts'

/** A gateway like those of home and office networks: it forgets silent connections, and some others. */
async function gateway(target: number, idleMs: number) {
  const lines: { forget(): void }[] = []
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    let isForgotten = false
    const idle = setTimeout(cut, idleMs)
    function cut() {
      cuts += 1
      near.destroy()
      far.destroy()
    }
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        idle.refresh()
        if (!isForgotten) to.write(bytes)
      })
      from.on('error', () => from.destroy())
      from.on('close', () => {
        clearTimeout(idle)
        if (!isForgotten) to.destroy()
      })
    }
    pass(near, far)
    pass(far, near)
    lines.push({
      forget: () => {
        isForgotten = true
      },
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    /** From now on what comes on it vanishes; nobody is told. */
    forget: () => lines.at(-1)?.forget(),
    connections: () => lines.length,
    cuts: () => cuts,
    close: () => server.close(),
  }
}

async function behind(core: FarCore, idleMs: number) {
  const directory = mkdtempSync(join(tmpdir(), 'latarnik-nat-'))
  const way = await gateway(Number(core.url.port), idleMs)
  const done: CheckJob[] = []
  async function check(job: CheckJob): Promise<CheckResult> {
    done.push(job)
    return {
      ...{ serviceId: job.serviceId, sensorId: 0, result: 'ok', startedAt: Date.now(), responseTime: 1, dataSize: 1 },
      ...{ errorTypeId: null, errorMessage: null, phases: null, steps: null, evidence: null },
    }
  }
  const kept = new KeptResults({ directory, maximumCount: 100, maximumBytes: 1_000_000, log: () => {} })
  const connection = connectToCore({
    ...{ server: way.url, token: 'token-1', version: '1', categories: ['default'], city: '', country: '' },
    ...{
      kept,
      log: () => {},
      random: () => 0,
      stations: { check, diagnose: async () => ({ isOk: false, lines: [] }) },
    },
  })
  await core.connected(1)
  return {
    ...{ way, done, kept },
    async stop() {
      await connection.stop()
      await core.stop()
      way.close()
      rmSync(directory, { recursive: true })
    },
  }
}

describe.concurrent('a station behind a gateway', () => {
  test('speaks so often that one which forgets idle connections keeps its own', async () => {
    const core = await farCore()
    const { way, stop } = await behind(core, 4 * heartbeatMs)
    await pause(5 * heartbeatMs)
    expect((await core.stations.check(farJob(1))).result).toBe('ok')
    expect([way.connections(), way.cuts()]).toEqual([1, 0])
    await stop()
  })

  test('whose connection is forgotten without a word comes back on another, and hands over what it has done', async () => {
    const core = await farCore()
    const { way, done, kept, stop } = await behind(core, 60_000)
    const asked = core.stations.check(farJob(1))
    await vi.waitFor(() => expect(done.length).toBe(1), { ...patiently, interval: 1 })
    way.forget()
    // Answered or lost, never a failure of the target.
    expect((await asked).result).not.toBe('error')
    await vi.waitFor(() => expect(way.connections()).toBe(2), patiently)
    await core.connected(1)
    expect((await core.stations.check(farJob(1))).result).toBe('ok')
    await vi.waitFor(() => expect(kept.size).toBe(0), patiently)
    await stop()
  })
})
