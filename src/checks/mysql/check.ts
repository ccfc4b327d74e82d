import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { expectValue } from '../../sensor/compared-value.ts'
import { type Conversation, converse } from '../../sensor/conversation.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { readOptionalText, readText } from '../../sensor/settings.ts'
import { introduce, logIn } from './login.ts'
import { lengthEncoded, MysqlPackets, mysqlError, readGreeting } from './packets.ts'

/** Our name if the service names no user; even a refusal shows that the server works. */
const nobody = 'latarnik'
const accessDenied: readonly number[] = [1045, 1698, 1044, 1251]
const [quit, query] = [1, 3]

/** Up when the server answers the query as expected; without a user, when it answers who we are. */
export const checkMysql: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async (conversation) => {
    const { settings, line, attempt } = conversation
    const packets = new MysqlPackets(line)
    const username = readOptionalText(settings, 'username')
    const login = {
      username: username ?? nobody,
      password: readOptionalText(settings, 'password'),
      database: readOptionalText(settings, 'database'),
    }
    const greeting = readGreeting(await packets.read())
    const first = await introduce(conversation, packets, greeting, login)
    if (username === null) return greeted(first)
    await logIn(conversation, packets, first, { greeting, login })
    const value = await askOne(conversation, packets)
    attempt.stop()
    expectValue(value, settings)
  })

function greeted(packet: Buffer): void {
  if (packet[0] !== 0xff) return
  const { code, text } = mysqlError(packet)
  if (!accessDenied.includes(code)) throw new Failure('protocol_refused', text)
}

/** Not even what ends a transaction by itself changes anything: the session reads only. */
async function askOne({ settings }: Conversation, packets: MysqlPackets): Promise<string | null> {
  for (const statement of ['SET SESSION TRANSACTION READ ONLY', 'START TRANSACTION READ ONLY']) {
    packets.command(query, statement)
    await readResult(packets)
  }
  packets.command(query, readText(settings, 'query'))
  const { value, isWhole } = await readResult(packets)
  // A server that still sends rows rolls back when we hang up.
  if (!isWhole) return value
  packets.command(query, 'ROLLBACK')
  await readResult(packets)
  packets.command(quit)
  return value
}

const mostColumns = 4096
const mostRows = 20

interface Result {
  /** The first column of the first row. */
  readonly value: string | null
  readonly isWhole: boolean
}

async function readResult(packets: MysqlPackets): Promise<Result> {
  const head = await packets.read()
  if (head[0] === 0x00) return { value: null, isWhole: true }
  if (head[0] === 0xff) throw new Failure('query_refused', mysqlError(head).text)
  // 0xfb asks for a file of ours (LOAD DATA LOCAL).
  const columns = head[0] === 0xfc && head.length === 3 ? head.readUInt16LE(1) : (head[0] ?? 0xfb)
  if ((head[0] ?? 0xfb) >= 0xfb && head[0] !== 0xfc) throw notSpoken('a question of the server')
  if (columns > mostColumns) throw notSpoken('a result of too many columns')
  for (let column = 0; column <= columns; column += 1) await packets.read()
  let value: string | null = null
  for (let row = 0; row < mostRows; row += 1) {
    const packet = await packets.read()
    if (packet[0] === 0xfe && packet.length < 9) return { value, isWhole: true }
    if (packet[0] === 0xff) throw new Failure('query_refused', mysqlError(packet).text)
    if (row === 0) value = lengthEncoded(packet)
  }
  return { value, isWhole: false }
}
