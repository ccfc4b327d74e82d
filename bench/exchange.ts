/** The cost of asking another process's station: through NATS, if there is a server, and through the database. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseCarrier } from '../src/message-bus/database-carrier.ts'
import { MessageBus } from '../src/message-bus/message-bus.ts'
import { NatsCarrier } from '../src/message-bus/nats-carrier.ts'
import { type BenchDatabase, benchDatabase } from './support/bench-database.ts'

const measuredSeconds = 10
const stepMs = 5
const settlingMs = 2000
const natsPort = 42_222
const ticksPerSecond = 100
const settings = { timeout: 7000, http_method: 'GET', http_statuses: '200-399', follow_redirects: true, verify: true }
const log = () => undefined
const clock = { now: () => Date.now() }
const coreKey = Buffer.alloc(32, 7)

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [message] = (await once(child, 'message')) as [{ cpuMs: number }]
  return message.cpuMs
}

/** CPU milliseconds of a process that is not ours. */
function cpuOfProgram(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000
}

interface Answers {
  readonly good: number
  /** Milliseconds from the question to the answer, the middle one and the slowest of a hundred. */
  readonly p50: number
  readonly p99: number
}

/** Asks at an even pace. */
async function ask(exchange: MessageBus, jobsPerSecond: number): Promise<Answers> {
  const times: number[] = []
  const startedAt = performance.now()
  let asked = 0
  while (asked < jobsPerSecond * measuredSeconds) {
    const due = Math.min(jobsPerSecond * measuredSeconds, ((performance.now() - startedAt) / 1000) * jobsPerSecond)
    for (; asked < due; asked++) {
      const [startAt, askedAt] = [Date.now(), performance.now()]
      const job = { serviceId: asked, sensorId: 1, typeId: 'http', address: 'shop.example.com/cart', settings }
      void exchange.check({ ...job, startAt, deadlineAt: startAt + 9000 }).then(({ result }) => {
        if (result === 'ok') times.push(performance.now() - askedAt)
      })
    }
    await pause(stepMs)
  }
  for (let tries = 0; tries < 100 && times.length < asked; tries++) await pause(50)
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { good: times.length, p50: at(0.5), p99: at(0.99) }
}

interface Way {
  readonly bench: BenchDatabase
  /** Empty: the database alone. */
  readonly natsUrl: string
  /** CPU milliseconds so far of what carries. */
  readonly carrierCpu: () => Promise<number>
}

async function openAsking({ bench, natsUrl }: Way): Promise<MessageBus> {
  const exchange = new MessageBus({
    carriers: [
      ...(natsUrl === '' ? [] : [new NatsCarrier({ servers: [natsUrl], core: 'bench', coreKey, clock, log })]),
      new DatabaseCarrier({ database: bench.database, log }),
    ],
    ...{ roles: ['monitoring'], held: null, clock, log },
  })
  await exchange.start()
  for (let tries = 0; tries < 200 && !exchange.isConnected(1); tries++) await pause(50)
  await pause(settlingMs)
  return exchange
}

async function measure(way: Way, jobsPerSecond: number): Promise<void> {
  const there = fork(new URL('./support/exchange-process.ts', import.meta.url), [way.bench.url, way.natsUrl])
  await once(there, 'message')
  const exchange = await openAsking(way)
  await cpuOf(there)
  const [before, carrierBefore] = [process.cpuUsage(), await way.carrierCpu()]
  const { good, p50, p99 } = await ask(exchange, jobsPerSecond)
  const { user, system } = process.cpuUsage(before)
  const share = (cpuMs: number) => `${(cpuMs / 10 / measuredSeconds).toFixed(1)} %`
  const asking = share((user + system) / 1000)
  const [answering, carrying] = [share(await cpuOf(there)), share((await way.carrierCpu()) - carrierBefore)]
  console.log(
    `  ${jobsPerSecond} jobs/s: ${good} of ${jobsPerSecond * measuredSeconds} answered after ${p50.toFixed(0)} ms (p99 ${p99.toFixed(0)})`,
  )
  console.log(`    of a core: who asks ${asking}, who answers ${answering}, what carries ${carrying}`)
  await exchange.stop(0)
  there.disconnect()
}

export async function run(): Promise<void> {
  const bench = await benchDatabase()
  const broker = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(natsPort)], { stdio: 'ignore' })
  const isThere = await Promise.race([once(broker, 'spawn'), once(broker, 'error')]).then(() => broker.pid)
  if (isThere === undefined) console.log('exchange, through NATS: not measured, there is no nats-server')
  else {
    console.log('exchange, through NATS:')
    const natsUrl = `nats://127.0.0.1:${natsPort}`
    await measure({ bench, natsUrl, carrierCpu: async () => cpuOfProgram(isThere) }, 5000)
    broker.kill()
  }
  console.log('exchange, through the database:')
  for (const jobsPerSecond of [100, 1000]) {
    await measure(
      { bench, natsUrl: '', carrierCpu: async () => (await bench.serverCpu()) ?? Number.NaN },
      jobsPerSecond,
    )
  }
  await bench.close()
}
