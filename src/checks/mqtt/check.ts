import { randomBytes } from 'node:crypto'
import type { ErrorTypeSymbol } from '../../domain/judging/error-types.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { type Conversation, converse } from '../../sensor/conversation.ts'
import { isExpected, unexpectedAnswer } from '../../sensor/expected-answer.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { readOptionalText } from '../../sensor/settings.ts'
import { connectPacket, disconnectPacket, type MqttPacket, payloadOf, readMqtt, subscribePacket } from './packets.ts'

/** Up when a broker lets us in, and a message as expected comes on the topic where one is named. */
export const checkMqtt: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async (conversation) => {
    const { settings, line, attempt } = conversation
    const clientId = `latarnik-${randomBytes(6).toString('hex')}`
    const [username, password] = [readOptionalText(settings, 'username'), readOptionalText(settings, 'password')]
    line.send(connectPacket({ clientId, username, password }))
    const answer = await readMqtt(line)
    if (answer.kind !== 2 || answer.body.length !== 2) throw notSpoken(answer.body.toString('latin1'))
    if (answer.body[1] !== 0) throw refusal(answer.body[1] ?? 0, username !== null)
    const topic = readOptionalText(settings, 'topic')
    if (topic !== null) await awaitMessage(conversation, topic)
    attempt.stop()
    line.send(disconnectPacket)
  })

const reasons: Readonly<Record<number, readonly [ErrorTypeSymbol, string]>> = {
  1: ['protocol_refused', 'the broker does not speak MQTT 3.1.1'],
  2: ['protocol_refused', 'the broker refuses the client id'],
  3: ['protocol_refused', 'the broker is not available'],
  4: ['login_refused', 'bad user name or password'],
  5: ['login_refused', 'not authorised'],
}

function refusal(code: number, hasLogin: boolean): Failure {
  const [symbol, text] = reasons[code] ?? (['protocol_not_spoken', `return code ${code}`] as const)
  return new Failure(symbol === 'login_refused' && !hasLogin ? 'login_required' : symbol, text)
}

const mostMessages = 1000

async function awaitMessage({ line, attempt, job }: Conversation, topic: string): Promise<void> {
  line.send(subscribePacket(topic))
  attempt.enter('transfer', 'message_missing')
  for (let messages = 0; messages < mostMessages; ) {
    const packet: MqttPacket = await readMqtt(line)
    if (packet.kind === 9 && packet.body[2] === 0x80) {
      throw new Failure('query_refused', `the broker refuses the subscription to ${topic}`)
    }
    if (packet.kind !== 3) continue
    messages += 1
    if (await isExpected(payloadOf(packet).toString('utf8'), job)) return
  }
  throw unexpectedAnswer(job)
}
