import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConfiguredGateway } from '../../src/channels/declare.ts'
import type { HttpGateway } from '../../src/channels/http/gateway.ts'
import { type SmsForm, smsOverHttp } from '../../src/channels/sms/sms-over-http.ts'

export interface GatewayCall {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The gateway's reaction to the next requests. */
export interface GatewayManners {
  answer?: ((call: GatewayCall, response: ServerResponse) => void) | undefined
}

/** A real HTTP server on 127.0.0.1 that keeps what it is asked. */
export interface TestGateway {
  readonly url: string
  readonly calls: GatewayCall[]
  readonly manners: GatewayManners
  /** Connections opened so far. */
  connections(): number
  stop(): Promise<void>
}

export async function startSmsGateway(): Promise<TestGateway> {
  const calls: GatewayCall[] = []
  const manners: GatewayManners = {}
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const call = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') }
      calls.push(call)
      if (manners.answer === undefined) response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"ok":1}')
      else manners.answer(call, response)
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    manners,
    connections: () => connections,
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** The configuration of a gateway whose address alone is known. */
export function gatewayAt(url: string, values: Partial<HttpGateway> = {}): HttpGateway {
  return {
    ...{ url, method: 'POST', body: '{"to":"{to}","text":"{text}","id":"{id}"}', headers: {}, success: ['2xx'] },
    ...{ refusal: null, isIdempotent: false },
    ...values,
  }
}

export const usualForm: SmsForm = { isTransliterated: true, mostParts: 1 }

/** SMS through the test's gateway, as the operator would have configured it. */
export function smsThrough(url: string, perMinute?: number): ConfiguredGateway {
  const settings = { http: gatewayAt(url), form: usualForm }
  const open = () => smsOverHttp(settings.http, settings.form)
  return {
    ...{ id: 'sms', name: 'SMS', needs: 'SMS_GATEWAY_URL', perMinute },
    connection: { goesTo: new URL(url).host, settings, open },
  }
}
