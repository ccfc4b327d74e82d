import { Failure } from '../outgoing/failure.ts'
import type { ProtocolLine } from './protocol-line.ts'
import { askCoded, codedText, notSpoken, readCodedReply } from './reply-codes.ts'

export const startTlsProtocols = ['smtp', 'imap', 'pop3', 'ftp', 'ldap', 'postgresql'] as const
export type StartTlsProtocol = (typeof startTlsProtocols)[number]

/** Takes each protocol to the start of TLS. Rejects with `starttls_missing` or `starttls_refused`, or like the line. */
export const startTls: Readonly<Record<StartTlsProtocol, (line: ProtocolLine) => Promise<void>>> = {
  async smtp(line) {
    const greeting = await readCodedReply(line)
    if (greeting.code !== 220) throw new Failure('protocol_refused', codedText(greeting))
    const hello = await askCoded(line, 'EHLO latarnik.invalid')
    const isOffered = hello.lines.some((text) => text.trim().toUpperCase() === 'STARTTLS')
    if (hello.code !== 250 || !isOffered) throw missing('STARTTLS')
    const reply = await askCoded(line, 'STARTTLS')
    if (reply.code !== 220) throw refused(codedText(reply))
  },
  async imap(line) {
    await imapGreeting(line)
    line.send('s1 STARTTLS\r\n')
    const reply = await imapAnswer(line, 's1')
    if (!reply.isOk) throw reply.isUnknown ? missing('STARTTLS') : refused(reply.text)
  },
  async pop3(line) {
    await pop3Answer(line, 'protocol_refused')
    line.send('STLS\r\n')
    const reply = await line.readLine()
    if (!reply.startsWith('+OK')) throw reply.startsWith('-ERR') ? missing('STLS') : notSpoken(reply)
  },
  async ftp(line) {
    const greeting = await readCodedReply(line)
    if (greeting.code !== 220) throw new Failure('protocol_refused', codedText(greeting))
    const reply = await askCoded(line, 'AUTH TLS')
    if (reply.code === 234) return
    throw [500, 502, 504, 530].includes(reply.code) ? missing('AUTH TLS') : refused(codedText(reply))
  },
  async ldap(line) {
    line.send(startTlsOfLdap)
    const [tag = 0, length = 0] = await line.take(2)
    if (tag !== 0x30) throw notSpoken(String.fromCharCode(tag, length))
    // For more than 127 bytes, the following bytes hold the length.
    const size = length < 0x80 ? length : (await line.take(length & 0x7f)).reduce((sum, byte) => sum * 256 + byte, 0)
    const message = await line.take(size)
    // INTEGER 1 of one byte, then the extended response (RFC 4511, section 4.12) with its result code.
    const at = message.indexOf(0x0a, 5)
    if (message[3] !== 0x78 || at < 0) throw notSpoken(message.toString('latin1'))
    if (message[at + 2] !== 0) throw refused(`result code ${message[at + 2]}`)
  },
  async postgresql(line) {
    // SSLRequest (PostgreSQL documentation, Message Formats).
    line.send(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]))
    const answer = (await line.take(1)).toString('latin1')
    if (answer === 'S') return
    throw answer === 'N' ? missing('SSL') : notSpoken(answer)
  },
}

const startTlsOid = '1.3.6.1.4.1.1466.20037'
/** An extended request for StartTLS (RFC 4511, section 4.14). */
const startTlsOfLdap = Buffer.concat([
  Buffer.from([0x30, 7 + startTlsOid.length, 0x02, 0x01, 0x01, 0x77, 2 + startTlsOid.length, 0x80, startTlsOid.length]),
  Buffer.from(startTlsOid),
])

/** Reads the server's greeting (RFC 9051, section 7.1). @returns whether it considers us logged in already */
export async function imapGreeting(line: ProtocolLine): Promise<boolean> {
  const greeting = await line.readLine()
  if (/^\* BYE\b/i.test(greeting)) throw new Failure('protocol_refused', greeting.slice(0, 300))
  if (!/^\* (OK|PREAUTH)\b/i.test(greeting)) throw notSpoken(greeting)
  return /^\* PREAUTH\b/i.test(greeting)
}

const mostUntagged = 200

/** Reads the tagged answer to a command and skips everything before it. */
export async function imapAnswer(line: ProtocolLine, tag: string) {
  for (let count = 0; count < mostUntagged; count += 1) {
    const text = await line.readLine()
    if (!text.startsWith(`${tag} `)) {
      if (/^[*+]/.test(text)) continue
      throw notSpoken(text)
    }
    const status = text.slice(tag.length + 1)
    return { isOk: /^OK\b/i.test(status), isUnknown: /^BAD\b/i.test(status), text: status.slice(0, 300) }
  }
  throw new Failure('protocol_answer_too_large', `more than ${mostUntagged} lines before the answer`)
}

/** `+OK` (RFC 1939); rejects with the reason otherwise. */
export async function pop3Answer(line: ProtocolLine, otherwise: 'protocol_refused' | 'login_refused'): Promise<void> {
  const text = await line.readLine()
  if (text.startsWith('+OK')) return
  throw text.startsWith('-ERR') ? new Failure(otherwise, text.slice(0, 300)) : notSpoken(text)
}

function missing(command: string): Failure {
  return new Failure('starttls_missing', `the server does not offer ${command}`)
}

function refused(text: string): Failure {
  return new Failure('starttls_refused', text)
}
