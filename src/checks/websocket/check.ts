import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { escapedBytes } from '../../domain/text/escaped-bytes.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHost } from '../../outgoing/host.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { type Conversation, converse } from '../../sensor/conversation.ts'
import { isExpected, unexpectedAnswer } from '../../sensor/expected-answer.ts'
import { basicAuthorization, readRequestHeaders, readTarget, secretsOf } from '../../sensor/http/request.ts'
import { readOptionalText } from '../../sensor/settings.ts'
import { MessageQueue } from './message-queue.ts'

const longestMessage = 1_048_576

/** Up when the server switches to WebSocket, and a message comes as expected where something is expected. */
export const checkWebSocket: CheckFunction = async (job, equipment, family, stallMeter) => {
  const at = () => {
    const { url, credentials } = readTarget(job)
    const isSecure = url.protocol === 'wss:'
    const port = Number(url.port) || (isSecure ? 443 : 80)
    return { host: parseHost(url.hostname), port, isSecure, secrets: secretsOf(credentials) }
  }
  return converse(job, equipment, { family, stallMeter, at }, async (conversation) => {
    const { attempt, line, settings } = conversation
    const question = escapedBytes(readOptionalText(settings, 'text_to_send') ?? '')
    if (question === undefined) throw new Failure('setting_invalid', 'setting text_to_send has a stray backslash')
    const socket = line.release()
    const client = open(conversation, socket)
    try {
      const queue = new MessageQueue(client)
      await queue.opened(attempt)
      const isAwaited = question.length > 0 || readOptionalText(settings, 'expected_answer_regex') !== null
      attempt.enter('transfer', 'message_missing')
      if (question.length > 0) client.send(Buffer.from(question).toString('utf8'))
      if (isAwaited) await awaitMessage(conversation, queue)
      attempt.stop()
      client.close(1000)
    } finally {
      line.bytes = socket.bytesRead
      // A client that is given up tells its end as an error.
      client.on('error', () => undefined)
      setTimeout(() => client.terminate(), 500).unref()
    }
  })
}

const mostMessages = 1000

async function awaitMessage({ attempt, job }: Conversation, queue: MessageQueue): Promise<void> {
  while (queue.count <= mostMessages) if (await isExpected(await queue.take(attempt), job)) return
  throw unexpectedAnswer(job)
}

/** The library speaks over our socket and never dials. */
function open({ job, settings, attempt }: Conversation, socket: Socket): WebSocket {
  const { url, credentials } = readTarget(job)
  const authorization = credentials === null ? {} : { Authorization: basicAuthorization(credentials) }
  attempt.evidence.base_url = url.href
  // TLS is spoken already, so that the library is to speak in plain text over the socket.
  const headers = readRequestHeaders(settings)
  const isProtocol = ([name]: readonly [string, string]) => name.toLowerCase() === 'sec-websocket-protocol'
  const protocols = headers.filter(isProtocol).flatMap(([, value]) => value.split(',').map((one) => one.trim()))
  const others = Object.fromEntries(headers.filter((header) => !isProtocol(header)))
  const client = new WebSocket(`ws://${url.host}${url.pathname}${url.search}`, protocols, {
    createConnection: () => socket,
    headers: { Host: url.host, ...authorization, ...others },
    ...{ followRedirects: false, perMessageDeflate: false, maxPayload: longestMessage, skipUTF8Validation: true },
  })
  client.on('unexpected-response', (request, response) => {
    attempt.evidence.status_code = response.statusCode ?? null
    request.destroy()
    client.emit('error', new Failure('websocket_refused', `status ${response.statusCode ?? ''}`.trim()))
  })
  return client
}
