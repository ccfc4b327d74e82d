/** What stations far away cost: jobs over one WebSocket, against bare frames of the same bytes; and many that only stay connected. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { serveFarStations } from '../src/sensor/far/endpoint.ts'
import { FarStations } from '../src/sensor/far/far-stations.ts'

const jobsPerSecond = 5000
const measuredSeconds = 10
const stepMs = 5
const manyStations = 1000
const settings = { timeout: 7000, http_method: 'GET', http_statuses: '200-399', follow_redirects: true, verify: true }

async function connected(stations: FarStations, count: number): Promise<void> {
  for (let tries = 0; tries < 600 && stations.size < count; tries++) await pause(100)
  for (let tries = 0; tries < 600 && !stations.isConnected(count); tries++) await pause(100)
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [message] = (await once(child, 'message')) as [{ cpuMs: number }]
  return message.cpuMs
}

/** Asks at an even pace; returns how many were answered well. */
async function ask(stations: FarStations): Promise<number> {
  let good = 0
  const startedAt = performance.now()
  let asked = 0
  while (asked < jobsPerSecond * measuredSeconds) {
    const due = Math.min(jobsPerSecond * measuredSeconds, ((performance.now() - startedAt) / 1000) * jobsPerSecond)
    for (; asked < due; asked++) {
      const startAt = Date.now()
      const job = { serviceId: asked, sensorId: 1, typeId: 'http', address: 'shop.example.com/cart', settings }
      void stations.check({ ...job, startAt, deadlineAt: startAt + 9000 }).then(({ result }) => {
        if (result === 'ok') good += 1
      })
    }
    await pause(stepMs)
  }
  for (let tries = 0; tries < 100 && good < asked; tries++) await pause(50)
  return good
}

export async function run(): Promise<void> {
  const stations = new FarStations({
    clock: { now: () => Date.now() },
    log: () => undefined,
    register: async () => undefined,
    stillValid: async (digests) => new Set(digests),
  })
  const server = createServer()
  const admit = async (authorization = '') => {
    const sensorId = Number(authorization.slice('Bearer '.length))
    return { sensorId, name: '', tokenDigest: String(sensorId), address: '' }
  }
  serveFarStations(
    server,
    ({ headers }) => admit(headers.authorization),
    (socket, admission) => stations.accept(socket, admission),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const program = new URL('./support/far-station.ts', import.meta.url)
  const one = fork(program, [url, '1', '1'])
  await connected(stations, 1)
  await cpuOf(one)
  const before = process.cpuUsage()
  const good = await ask(stations)
  const { user, system } = process.cpuUsage(before)
  const share = (cpuMs: number) => `${(cpuMs / 10 / measuredSeconds).toFixed(1)} % of a core`
  console.log(
    `stations, ${jobsPerSecond} jobs/s over one WebSocket, ${good} of ${jobsPerSecond * measuredSeconds} answered:`,
  )
  console.log(`  core ${share((user + system) / 1000)}, station ${share(await cpuOf(one))} (target 12 % each)`)
  const alone = process.memoryUsage().rss
  const many = fork(program, [url, '2', String(manyStations - 1)])
  await connected(stations, manyStations)
  const idle = process.cpuUsage()
  await pause(measuredSeconds * 1000)
  const used = process.cpuUsage(idle)
  const more = (process.memoryUsage().rss - alone) / 1_048_576
  console.log(
    `stations, ${stations.size} connected: ${more.toFixed(0)} MB more (target 300), ${share((used.user + used.system) / 1000)}`,
  )
  one.disconnect()
  many.disconnect()
  await stations.stop()
  await new Promise((resolve) => server.close(resolve))
}
