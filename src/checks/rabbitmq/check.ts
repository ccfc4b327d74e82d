import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { type Conversation, converse } from '../../sensor/conversation.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { readOptionalInteger, readOptionalText, readText } from '../../sensor/settings.ts'
import {
  closeReason,
  longText,
  type Method,
  methodFrame,
  protocolHeader,
  readMethod,
  shortText,
  table,
} from './frames.ts'

/** The user of a fresh installation, who may come from the machine itself only. */
const guest = 'guest'
const startOk = [10, 11] as const
const tuneOk = [10, 31] as const
const open = [10, 40] as const
const close = [10, 50] as const
const openChannel = [20, 10] as const
const declareQueue = [50, 10] as const

/** Up when the broker lets us in and has the queue, with no more messages than it may. */
export const checkRabbitmq: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async (conversation) => {
    const { settings, line, attempt } = conversation
    line.send(protocolHeader)
    const username = readOptionalText(settings, 'username')
    await expectMethod(line, '10.10')
    line.send(
      introduction(username ?? guest, readOptionalText(settings, 'password') ?? (username === null ? guest : '')),
    )
    const tune = await expectMethod(line, '10.30', username === null ? 'login_required' : 'login_refused')
    if (tune.body.length < 8) throw notSpoken('limits that are cut')
    // Its limits are ours, without heartbeats: the check is over before one is due.
    line.send(methodFrame(0, tuneOk, tune.body.subarray(0, 6), Buffer.alloc(2)))
    line.send(methodFrame(0, open, shortText(readText(settings, 'virtual_host')), Buffer.alloc(2)))
    await expectMethod(line, '10.41')
    const waiting = await lookAtQueue(conversation)
    attempt.stop()
    line.send(methodFrame(0, close, Buffer.from([0, 200]), shortText('bye'), Buffer.alloc(4)))
    const most = readOptionalInteger(settings, 'maximum_messages')
    if (most !== null && waiting !== null && waiting > most) {
      throw new Failure('value_differs', `${waiting} messages wait, wanted at most ${most}`)
    }
  })

function introduction(username: string, password: string): Buffer {
  // With this capability the server explains a refused login; otherwise it only closes the connection.
  const capabilities: readonly (readonly [string, boolean | string])[] = [['product', 'Latarnik']]
  const properties = withTable(table(capabilities), 'capabilities', table([['authentication_failure_close', true]]))
  const response = Buffer.from(`\0${username}\0${password}`)
  return methodFrame(0, startOk, properties, shortText('PLAIN'), longText(response), shortText('en_US'))
}

/** Puts a table into a table. */
function withTable(outer: Buffer, name: string, inner: Buffer): Buffer {
  return longText(Buffer.concat([outer.subarray(4), shortText(name), Buffer.from('F'), inner]))
}

/** How many messages wait; null where no queue is named. A passive declaration changes nothing. */
async function lookAtQueue({ settings, line }: Conversation): Promise<number | null> {
  const queue = readOptionalText(settings, 'queue')
  if (queue === null) return null
  line.send(methodFrame(1, openChannel, shortText('')))
  await expectMethod(line, '20.11')
  const passive = 1
  line.send(methodFrame(1, declareQueue, Buffer.alloc(2), shortText(queue), Buffer.from([passive]), table([])))
  const { body } = await expectMethod(line, '50.11')
  const at = 1 + (body[0] ?? 0)
  if (body.length < at + 8) throw notSpoken('a queue that is cut')
  return body.readUInt32BE(at)
}

type LoginFailure = 'login_required' | 'login_refused'

async function expectMethod(line: ProtocolLine, name: string, atLogin?: LoginFailure): Promise<Method> {
  const method = await readMethod(line).catch((error: unknown) => {
    // Older brokers hang up on who is refused.
    const isHungUp = error instanceof Failure && error.symbol === 'protocol_closed'
    throw isHungUp && atLogin !== undefined ? new Failure(atLogin, 'the broker hung up on the login') : error
  })
  if (method.name === name) return method
  const { code, text } = closeReason(method.body)
  if (method.name === '20.40') throw new Failure(code === 404 ? 'value_missing' : 'query_refused', text)
  if (method.name !== '10.50') throw notSpoken(`method ${method.name}`)
  throw new Failure(code === 403 && atLogin !== undefined ? atLogin : 'protocol_refused', text)
}
