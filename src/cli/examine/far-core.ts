import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import type { FarSensorConfig } from '../../config/config.ts'
import { agentFor } from '../../sensor/far/proxy.ts'
import { attempt, type Finding, finding } from './finding.ts'

const patienceMs = 10_000
/** Seconds by which the clocks may differ. The difference is measured and corrected, but a person should know. */
const mostSkewSeconds = 2

/** Requests a public resource, such as the API's own description. */
async function ask(
  server: URL,
  { proxy }: FarSensorConfig,
): Promise<{ readonly status: number; readonly date: string; readonly body: string }> {
  const address = new URL(`${server.pathname.replace(/\/+$/, '').replace(/\/v3$/, '')}/v3/sensors?limit=1`, server)
  const agent = agentFor(server, proxy)
  const send = server.protocol === 'https:' ? secureRequest : plainRequest
  const request: ClientRequest = send(address, {
    ...(agent === undefined ? {} : { agent }),
    signal: AbortSignal.timeout(patienceMs),
  })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, date: response.headers.date ?? '', body: await text(response) }
}

function isList(body: string): boolean {
  try {
    return Array.isArray(JSON.parse(body))
  } catch {
    return false
  }
}

/**
 * Tests whether a station on this machine could reach its core. Its token is not tested, because that would disconnect
 * a running station with the same token.
 */
export async function examineCore(config: FarSensorConfig): Promise<Finding[]> {
  if (config.server === undefined) return []
  const server = new URL(config.server)
  let skewSeconds = 0
  const reach = await attempt('Core', async () => {
    const { status, date, body } = await ask(server, config)
    if (status !== 200 || !isList(body)) throw new Error(`${server.origin} is no Latarnik: it answered ${status}`)
    skewSeconds = (Date.parse(date) - Date.now()) / 1000
    return `${server.origin} answers${config.proxy.url === undefined ? '' : ' (through HTTPS_PROXY and NO_PROXY)'}`
  })
  const token =
    config.token === undefined ? finding('Token', 'fault', 'SENSOR_TOKEN is not set') : finding('Token', 'ok', 'is set')
  if (reach.state !== 'ok') return [reach, token]
  // The header has whole seconds.
  const isOff = Math.abs(skewSeconds) > mostSkewSeconds + 1
  const clock = isOff
    ? finding('Clock of the core', 'missing', `differs by about ${Math.abs(skewSeconds).toFixed(0)} s; it is corrected`)
    : finding('Clock of the core', 'ok', 'agrees with this machine’s')
  return [reach, token, clock]
}
