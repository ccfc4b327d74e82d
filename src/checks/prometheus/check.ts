import { Failure } from '../../outgoing/failure.ts'
import { parseHost } from '../../outgoing/host.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { expectValue } from '../../sensor/compared-value.ts'
import { converse } from '../../sensor/conversation.ts'
import { exchange } from '../../sensor/http/exchange.ts'
import { newReceived, type Received, type WireRequest } from '../../sensor/http/received.ts'
import {
  basicAuthorization,
  type Credentials,
  readRequestHeaders,
  readTarget,
  secretsOf,
} from '../../sensor/http/request.ts'
import type { CheckJob } from '../../sensor/protocol.ts'
import { readText } from '../../sensor/settings.ts'

/** Up when the server's HTTP API answers the query with a sample as expected. */
export const checkPrometheus: CheckFunction = (job, equipment, family, stallMeter) => {
  const at = () => {
    const { url, credentials } = readTarget(job)
    const isSecure = url.protocol === 'https:'
    const port = Number(url.port) || (isSecure ? 443 : 80)
    return { host: parseHost(url.hostname), port, isSecure, secrets: secretsOf(credentials) }
  }
  return converse(
    job,
    equipment,
    { family, stallMeter, at, protocols: ['http/1.1'] },
    async ({ attempt, line, settings }) => {
      const { url, credentials } = readTarget(job)
      attempt.evidence.base_url = url.href
      const received = newReceived()
      const wire = wireRequest(job, url, credentials)
      const ending = await exchange(attempt, line.release(), wire, { received, isHeadEnough: () => false })
      attempt.stop()
      line.bytes = received.bodyBytes
      if (ending === 'http2') throw new Failure('http_not_spoken', 'the server speaks HTTP/2 only')
      attempt.evidence.status_code = received.head?.status ?? null
      expectValue(sampleIn(received), settings)
    },
  )
}

function wireRequest(job: CheckJob, url: URL, credentials: Credentials | null): WireRequest {
  const query = new URLSearchParams({ query: readText(job.settings, 'promql') }).toString()
  const path = `${url.pathname.replace(/\/$/, '')}/api/v1/query`
  const own = [
    ['Host', url.host],
    ['Accept', 'application/json'],
    ['Connection', 'close'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Length', String(Buffer.byteLength(query))],
    ...(credentials === null ? [] : [['Authorization', basicAuthorization(credentials)]]),
  ]
  const given = readRequestHeaders(job.settings)
  const isGiven = (name = '') => given.some(([other]) => other.toLowerCase() === name.toLowerCase())
  const headers = [...own.filter(([name]) => !isGiven(name)), ...given].flat()
  return { method: 'POST', path, headers, content: query }
}

/** The first sample as text; null where there is none. */
function sampleIn({ head, body, isCapped }: Received): string | null {
  const status = head?.status ?? 0
  if (isCapped) throw new Failure('protocol_answer_too_large', 'more than a check reads')
  const answer = parsed(body.whole().toString('utf8'))
  const error = textOf(answer, 'error')
  if (textOf(answer, 'status') === 'error') throw new Failure('query_refused', (error ?? '').slice(0, 300))
  if (status === 401 || status === 403) throw new Failure('login_refused', `status ${status}`)
  if (status >= 400) throw new Failure('protocol_refused', `status ${status}`)
  const data = fieldOf(answer, 'data')
  const result = fieldOf(data, 'result')
  if (textOf(answer, 'status') !== 'success' || !Array.isArray(result)) {
    throw new Failure('protocol_not_spoken', `status ${status}, but no answer of the Prometheus API`)
  }
  const isVector = textOf(data, 'resultType') === 'vector'
  const sample: unknown = isVector ? fieldOf(result[0], 'value') : result
  const value: unknown = Array.isArray(sample) ? sample[1] : undefined
  return typeof value === 'string' ? value : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function textOf(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : undefined
}
