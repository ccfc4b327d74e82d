import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { expectValue } from '../../sensor/compared-value.ts'
import { type Conversation, converse } from '../../sensor/conversation.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { readOptionalText, readText } from '../../sensor/settings.ts'
import { startTls } from '../../sensor/starttls.ts'
import { logIn } from './login.ts'
import { errorOf, firstColumn, oneRowOf, readMessage, simpleQuery, startup, terminate } from './messages.ts'

/** Our name if the service names no user; any answer shows that the server works. */
const nobody = 'latarnik'

/** Up when the server answers the query as expected; without a user, when it asks who we are. */
export const checkPostgresql: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async (conversation) => {
    const { settings, line, attempt, secure } = conversation
    if (settings['tls'] === 'starttls') {
      await startTls.postgresql(line)
      await secure()
    }
    const username = readOptionalText(settings, 'username')
    line.send(startup(username ?? nobody, readOptionalText(settings, 'database') ?? username ?? nobody))
    if (username === null) return await greet(conversation)
    await logIn(conversation, { username, password: readOptionalText(settings, 'password') })
    await untilReady(line, 'protocol_refused')
    await ask(line, 'BEGIN READ ONLY')
    line.send(oneRowOf(readText(settings, 'query')))
    const value = await untilReady(line, 'query_refused')
    await ask(line, 'ROLLBACK')
    line.send(terminate)
    attempt.stop()
    expectValue(value, settings)
  })

/** Every question who we are is an answer, and so is the refusal of a user whom nobody named. */
async function greet({ line }: Conversation): Promise<void> {
  const message = await readMessage(line)
  if (message.type === 'R') return
  if (message.type !== 'E') throw notSpoken(message.type)
  const { code, text } = errorOf(message)
  if (!code.startsWith('28') && code !== '3D000') throw new Failure('protocol_refused', text)
}

function ask(line: ProtocolLine, sql: string): Promise<string | null> {
  line.send(simpleQuery(sql))
  return untilReady(line, 'query_refused')
}

const mostRows = 100

/** @returns the first column of the first row, null where there is none */
async function untilReady(line: ProtocolLine, otherwise: 'protocol_refused' | 'query_refused'): Promise<string | null> {
  let value: string | null = null
  for (let rows = 0; rows < mostRows; ) {
    const message = await readMessage(line)
    if (message.type === 'Z') return value
    if (message.type === 'E') {
      const { code, text } = errorOf(message)
      throw new Failure(code.startsWith('28') ? 'login_refused' : otherwise, text)
    }
    if (message.type !== 'D') continue
    if (rows === 0) value = firstColumn(message)
    rows += 1
  }
  throw new Failure('protocol_answer_too_large', `more than ${mostRows} rows`)
}
