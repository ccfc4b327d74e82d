import { createHash } from 'node:crypto'
import { Failure } from '../../outgoing/failure.ts'
import type { Conversation } from '../../sensor/conversation.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { type MysqlGreeting, type MysqlPackets, mysqlError } from './packets.ts'

export interface MysqlLogin {
  readonly username: string
  readonly password: string | null
  readonly database: string | null
}

const capability = {
  longPassword: 1,
  longFlag: 4,
  connectWithDatabase: 8,
  protocol41: 0x200,
  tls: 0x800,
  transactions: 0x2000,
  secureConnection: 0x8000,
  pluginAuthentication: 0x80000,
} as const
const utf8mb4 = 45
const largestPacket = 1_048_576

/** Goes over to TLS where it is wanted, and says who we are. @returns the first answer to that */
export async function introduce(
  { settings, secure }: Conversation,
  packets: MysqlPackets,
  greeting: MysqlGreeting,
  login: MysqlLogin,
): Promise<Buffer> {
  const wantsTls = settings['tls'] === 'starttls'
  if (wantsTls && (greeting.capabilities & capability.tls) === 0) {
    throw new Failure('starttls_missing', 'the server does not offer SSL')
  }
  const { longPassword, longFlag, protocol41, transactions, secureConnection, pluginAuthentication } = capability
  const wanted: number[] = [longPassword, longFlag, protocol41, transactions, secureConnection, pluginAuthentication]
  if (login.database !== null) wanted.push(capability.connectWithDatabase)
  if (wantsTls) wanted.push(capability.tls)
  const head = Buffer.alloc(32)
  head.writeUInt32LE(wanted.reduce((sum, one) => sum | one, 0))
  head.writeUInt32LE(largestPacket, 4)
  head[8] = utf8mb4
  if (wantsTls) {
    packets.send(head)
    await secure()
  }
  const proof = proofOf(greeting.plugin, login.password, greeting.challenge) ?? Buffer.alloc(0)
  const text = (value: string) => Buffer.from(`${value}\0`)
  const database = login.database === null ? Buffer.alloc(0) : text(login.database)
  const ending = [database, text(knows(greeting.plugin) ? greeting.plugin : 'mysql_native_password')]
  packets.send(Buffer.concat([head, text(login.username), Buffer.from([proof.length]), proof, ...ending]))
  return await packets.read()
}

/** Answers what the server asks until it lets us in or not. */
export async function logIn(
  { isSecure }: Conversation,
  packets: MysqlPackets,
  first: Buffer,
  { greeting, login }: { readonly greeting: MysqlGreeting; readonly login: MysqlLogin },
): Promise<void> {
  let { plugin } = greeting
  let packet = first
  for (let turns = 0; turns < 6; turns += 1) {
    if (packet[0] === 0x00) return
    if (packet[0] === 0xff) throw loginFailure(packet, login)
    if (packet[0] === 0xfe) {
      const end = packet.indexOf(0)
      plugin = packet.toString('latin1', 1, end < 0 ? packet.length : end)
      packets.send(answerTo(plugin, login.password, packet.subarray(end + 1), isSecure()))
    } else if (packet[0] !== 0x01) throw notSpoken(packet.toString('latin1'))
    else if (packet[1] === 0x04) packets.send(inPlainText(login.password, isSecure()))
    // 3: the server remembers the password, and says so before it lets us in.
    else if (packet[1] !== 0x03) throw new Failure('login_method_unknown', `the server asks for more in ${plugin}`)
    packet = await packets.read()
  }
  throw notSpoken('a login that goes on')
}

function loginFailure(packet: Buffer, { password }: MysqlLogin): Failure {
  const { code, text } = mysqlError(packet)
  if (code === 1045 || code === 1698) return new Failure(password === null ? 'login_required' : 'login_refused', text)
  return new Failure(code === 1251 ? 'login_method_unknown' : 'protocol_refused', text)
}

const plugins = ['mysql_native_password', 'caching_sha2_password'] as const
const knows = (plugin: string): boolean => plugins.some((known) => known === plugin)

function answerTo(plugin: string, password: string | null, challenge: Buffer, isSecure: boolean): Buffer {
  if (plugin === 'mysql_clear_password') return inPlainText(password, isSecure)
  if (!knows(plugin)) throw new Failure('login_method_unknown', `the server wants ${plugin}`)
  return proofOf(plugin, password, challenge.subarray(0, 20)) ?? Buffer.alloc(0)
}

function inPlainText(password: string | null, isSecure: boolean): Buffer {
  if (!isSecure) throw new Failure('login_unsafe', 'the server wants the password in plain text')
  return Buffer.from(`${password ?? ''}\0`)
}

/** Shows that we know the password, without telling it; null where there is none, or another way is wanted. */
function proofOf(plugin: string, password: string | null, challenge: Buffer): Buffer | null {
  if (password === null || !knows(plugin)) return null
  const isNative = plugin === 'mysql_native_password'
  const hash = (...parts: readonly Buffer[]) =>
    createHash(isNative ? 'sha1' : 'sha256')
      .update(Buffer.concat(parts))
      .digest()
  const once = hash(Buffer.from(password))
  const twice = hash(once)
  const mask = isNative ? hash(challenge, twice) : hash(twice, challenge)
  return Buffer.from(once.map((byte, index) => byte ^ (mask[index] ?? 0)))
}
