import type { AnalysisRow } from '../../src/history/analyses.ts'
import { rounded } from '../../src/history/packed/precision.ts'

export const sensors = 3
export const analysesOfADay = 1440

/** Deterministic: the same history in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One https service of a day seen from 12, 38 and 110 ms away: log-normal parts, a hundredth of the checks fail. */
export function dayOf(serviceId: number, startOfDay: number): AnalysisRow[] {
  const random = randomFrom(serviceId)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const around = (median: number, spread: number) => median * Math.exp(spread * normal())
  const check = (distance: number) => {
    const dns = random() < 0.9 ? around(0.3, 0.4) : around(15, 0.5)
    const parts = [dns, distance + around(0.4, 0.7), distance * 1.1 + around(2, 0.4), around(0.06, 0.3)]
    const phases = [...parts, distance + around(45, 0.25), around(3, 0.4)]
    const isOk = random() > 0.01
    return { phases, isOk, time: Math.round(phases.reduce((sum, phase) => sum + phase)), delay: Math.abs(normal()) * 3 }
  }
  return Array.from({ length: analysesOfADay }, (_none, minute) => {
    const startAt = startOfDay + minute * 60_000 + serviceId * 13 + Math.round(Math.abs(normal()) * 4)
    const checks = [12, 38, 110].map(check)
    const decidedAt = startAt + Math.round(Math.max(...checks.map(({ time, delay }) => time + delay)) + 1)
    const failed = checks.flatMap(({ isOk }, place) => (isOk ? [] : [[String(place + 1), failure] as const]))
    return {
      serviceId,
      analysisId: decidedAt * 100,
      verdict: failed.length > 1 ? 'failure' : 'ok',
      errorTolerance: 51,
      sensorIds: [1, 2, 3],
      results: checks.map(({ isOk }) => (isOk ? 'o' : 'e')),
      timeOffsets: checks.map(({ delay }) => Math.round(startAt + delay - decidedAt)),
      responseTimes: checks.map(({ isOk, time }) => (isOk ? time : -1)),
      dataSizes: checks.map(({ isOk }) => (isOk ? 48_211 + (random() < 0.1 ? Math.round(normal() * 30) : 0) : -1)),
      phases: checks.flatMap(({ phases }) => phases.map((phase) => rounded(Math.round(phase * 1000)))),
      failures: failed.length === 0 ? null : Object.fromEntries(failed),
    }
  })
}

const failure = {
  error_type_id: 21,
  error_message: 'The server answered 503 where 200 was expected.',
  base_url: 'https://shop.example/',
  ip_address: '192.0.2.7',
  status_code: 503,
  response_headers: 'HTTP/1.1 503 Service Unavailable\r\nserver: nginx\r\nretry-after: 30\r\n',
  content_type: 'text/html',
  file_name: null,
  path_step: null,
  facts: {},
  artifacts: [],
}
