import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Transport } from '../../src/channels/delivery.ts'
import { startDeliveryWorkers } from '../../src/notifications/start.ts'
import { createLog } from '../../src/program/log.ts'
import { tellTraces } from '../../src/program/log-traces.ts'
import { type Telemetry, telemetryOf } from '../../src/telemetry/telemetry.ts'
import { tracedDatabase } from '../../src/telemetry/traced-database.ts'
import { startTraces, type Traces } from '../../src/telemetry/traces.ts'
import { apiWorld, authorizationOf } from '../support/api.ts'
import { monitoringWorld, silentLog } from '../support/monitoring.ts'
import { type CollectedSpan, type Collector, startCollector } from './collector.ts'

let collector: Collector
let traces: Traces
let telemetry: Telemetry

beforeEach(async () => {
  collector = await startCollector()
})
afterEach(() => collector.stop())

function begin(clock: { now(): number } = { now: () => Date.now() }): void {
  traces = startTraces({ endpoint: `${collector.url}/`, version: '1.2.3', clock })
  telemetry = telemetryOf({ metrics: null, traces, log: pino({ level: 'silent' }) })
}

const named = (name: string) => collector.spans.filter((span) => span.name === name)

function only(name: string): CollectedSpan {
  const [span, ...others] = named(name)
  if (span === undefined || others.length > 0) throw new Error(`${others.length + 1} spans ${name}`)
  return span
}

const gateway: Transport = {
  id: 'email',
  notificationChannelIds: ['email'],
  concurrency: 2,
  async deliver(_message, progress) {
    await progress.handOver()
    return { status: 'sent' }
  },
  close: () => undefined,
}

test('an analysis is one trace from its claim to the delivery of its notice', async () => {
  const world = await monitoringWorld()
  try {
    begin(world.clock)
    const monitoring = await world.start({ telemetry: telemetry.rounds })
    const serviceId = await world.addService()
    await world.pass(monitoring, 60)
    const [first] = world.sensorIds
    world.stations.answer = ({ sensorId }) => (sensorId === first ? 'ok' : { result: 'error', errorTypeId: 2001 })
    await world.pass(monitoring, 60)
    const { clock } = world
    const database = tracedDatabase(world.database, traces)
    const options = { database, clock, log: silentLog, publicUrl: '', diagnose: () => null }
    const workers = await startDeliveryWorkers({ ...options, telemetry: telemetry.deliveries }, [gateway])
    await workers.drain()
    await workers.stop()
    await traces.stop()

    expect(named('analysis')).toHaveLength(3)
    const analysis = named('analysis').find(({ facts }) => facts['latarnik.verdict'] === 'failure')
    if (analysis === undefined) throw new Error('no failure')
    expect(analysis.parentId).toBe('')
    expect(analysis.facts).toMatchObject({
      ...{ 'latarnik.service_id': serviceId, 'latarnik.service_type': 'http', 'latarnik.reason': 'interval' },
      ...{ 'latarnik.analysis_id': expect.stringMatching(/^\d{15}$/), 'latarnik.late_ms': 0 },
    })
    expect(analysis.events).toMatchObject({
      judged: { 'latarnik.verdict': 'failure' },
      notices: { 'latarnik.notices': 1 },
    })
    expect(analysis.resource).toMatchObject({ 'service.name': 'latarnik', 'service.version': '1.2.3' })
    const parts = collector.spans.filter(({ parentId }) => parentId === analysis.spanId)
    expect(parts.map(({ name }) => name).sort()).toEqual([
      ...['check', 'check', 'check', 'claim', 'deliver notification', 'record'],
    ])
    for (const part of parts) expect(part.traceId).toBe(analysis.traceId)
    for (const part of parts.filter(({ name }) => name !== 'deliver notification')) {
      expect(part.from).toBeGreaterThanOrEqual(analysis.from)
      expect(part.to).toBeLessThanOrEqual(analysis.to)
    }
    const checks = parts.filter(({ name }) => name === 'check').map(({ facts }) => facts['latarnik.result'])
    expect(checks.sort()).toEqual(['error', 'error', 'ok'])
    expect(new Set(named('analysis').map(({ traceId }) => traceId)).size).toBe(3)

    const delivery = only('deliver notification')
    expect(delivery.facts).toMatchObject({ 'latarnik.channel': 'email', 'latarnik.outcome': 'sent' })
    const statements = collector.spans.filter(({ parentId }) => parentId === delivery.spanId)
    expect(statements.length).toBeGreaterThanOrEqual(2)
    expect(statements.every(({ facts }) => facts['db.system.name'] === 'postgresql')).toBe(true)
    expect(collector.text()).not.toMatch(/shop|alice|500100200/i)
  } finally {
    await world.drop()
  }
})

const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }

test('a request is a part of its caller’s trace, with its statements and without what they were about', async () => {
  begin()
  const requests = telemetry.requests
  if (requests === undefined) throw new Error('nobody watches')
  const world = await apiWorld({ telemetry: requests, traces })
  try {
    const group = { name: 'hush hush' }
    const headers = { traceparent: `00-${parent.traceId}-${parent.spanId}-01`, 'x-request-id': 'mine' }
    await Promise.all([
      world.call('alice', 'POST', '/groups?hush=1', group, headers),
      world.call('bob', 'GET', '/groups'),
      world.call('alice', 'GET', '/groups', undefined, { traceparent: 'hush' }),
    ])
    await traces.stop()
    const request = only('POST /v3/groups')
    expect(request).toMatchObject({ traceId: parent.traceId, parentId: parent.spanId, kind: 2 })
    expect(request.facts).toMatchObject({
      ...{ 'http.request.method': 'POST', 'http.route': '/v3/groups', 'latarnik.request_id': 'mine' },
      'http.response.status_code': 201,
    })
    const parts = collector.spans.filter(({ traceId }) => traceId === parent.traceId)
    expect(parts.length).toBeGreaterThan(1)
    const reads = named('GET /v3/groups')
    expect(reads).toHaveLength(2)
    for (const read of reads) {
      expect([read.parentId, read.facts['http.response.status_code']]).toEqual(['', 200])
      const own = collector.spans.filter(({ parentId }) => parentId === read.spanId)
      expect(own.map(({ name }) => name)).toContain('select')
    }
    expect(collector.text()).not.toMatch(/hush/)
    expect(collector.text()).not.toContain(authorizationOf('alice').split(' ')[1])
  } finally {
    await world.drop()
  }
})

test('statements inside a transaction belong to it, and their values stay at home', async () => {
  begin()
  const requests = telemetry.requests
  if (requests === undefined) throw new Error('nobody watches')
  const world = await apiWorld({ telemetry: requests, traces })
  try {
    expect((await world.call('alice', 'POST', '/groups', { name: 'Second' })).status).toBe(201)
    await traces.stop()
    const transaction = only('transaction')
    expect(transaction.parentId).toBe(only('POST /v3/groups').spanId)
    const inside = collector.spans.filter(({ parentId }) => parentId === transaction.spanId)
    const texts = inside.map(({ facts }) => String(facts['db.query.text']))
    expect(texts).toContainEqual(expect.stringMatching(/^insert into "?groups/))
    expect(texts.join()).not.toContain('Second')
  } finally {
    await world.drop()
  }
})

test('work that belongs to nothing makes no trace', async () => {
  begin()
  await traces.part('select', {}, async () => undefined)
  await telemetry.reports.phase('generating', async () => {
    await traces.part('select', {}, async () => undefined)
    return 'done'
  })
  await traces.stop()
  expect(collector.spans.map(({ name }) => name).sort()).toEqual(['report generating', 'select'])
  expect(only('select').parentId).toBe(only('report generating').spanId)
})

test('what failed is marked, without the message', async () => {
  begin()
  const failing = () => Promise.reject(new TypeError('the secret is 42'))
  await telemetry.reports.phase('rendering', async () => {
    await traces.part('select', {}, failing).catch(() => undefined)
    return 'failed'
  })
  await traces.stop()
  expect(only('select').isFailed).toBe(true)
  expect(only('report rendering')).toMatchObject({ isFailed: false, facts: { 'latarnik.outcome': 'failed' } })
  expect(collector.text()).not.toContain('secret')
})

test('a collector that is away costs nobody anything but its traces', async () => {
  const { url } = collector
  traces = startTraces({ endpoint: url.replace(/\d+$/, '1'), version: '1', clock: { now: () => Date.now() } })
  telemetry = telemetryOf({ metrics: null, traces, log: pino({ level: 'silent' }) })
  expect(await telemetry.reports.phase('generating', async () => 'failed')).toBe('failed')
  const askedAt = performance.now()
  await traces.stop()
  expect(performance.now() - askedAt).toBeLessThan(9000)
})

test('lines of the log name the trace: of the work around them, else of their analysis', async () => {
  begin()
  tellTraces(traces.idsOf)
  const lines: string[] = []
  const log = createLog('info', 'json', { write: (line) => void lines.push(line) })
  const request = traces.begin({ method: 'GET', headers: { traceparent: `00-${parent.traceId}-${parent.spanId}-01` } })
  await request.within(async () => log.info({}, 'within'))
  log.info({ serviceId: 7, analysisId: 176372160000012 }, 'of an analysis')
  log.info({}, 'of nothing')
  tellTraces(null)
  log.info({ serviceId: 7, analysisId: 176372160000012 }, 'without traces')
  const [within, analysis, nothing, without] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(within).toMatchObject({ trace_id: parent.traceId, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) })
  expect(analysis).toMatchObject({ trace_id: expect.stringMatching(/^[0-9a-f]{32}$/), msg: 'of an analysis' })
  for (const line of [nothing, without]) expect(line).not.toHaveProperty('trace_id')
  await traces.stop()
})
