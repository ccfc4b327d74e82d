import { Failure } from '../outgoing/failure.ts'
import type { ProtocolLine } from './protocol-line.ts'

/** A reply of SMTP (RFC 5321) or FTP (RFC 959): three digits and one or more lines of text. */
export interface CodedReply {
  readonly code: number
  /** Each line without its code. */
  readonly lines: readonly string[]
}

const mostLines = 200

/** Reads `220 text`, or `220-text`, any lines, `220 text`. */
export async function readCodedReply(line: ProtocolLine): Promise<CodedReply> {
  const first = await line.readLine()
  const match = /^([1-5]\d\d)(?:([ -])(.*))?$/.exec(first)
  if (match === null) throw notSpoken(first)
  const [, code = '', separator, text = ''] = match
  const lines = [text]
  if (separator !== '-') return { code: Number(code), lines }
  while (lines.length < mostLines) {
    const next = await line.readLine()
    const isLast = next === code || next.startsWith(`${code} `)
    lines.push(next.startsWith(code) ? next.slice(4) : next.trim())
    if (isLast) return { code: Number(code), lines }
  }
  throw new Failure('protocol_answer_too_large', `a reply of more than ${mostLines} lines`)
}

export async function askCoded(line: ProtocolLine, command: string): Promise<CodedReply> {
  line.send(`${command}\r\n`)
  return await readCodedReply(line)
}

/** The text of a reply, for a message. */
export function codedText({ code, lines }: CodedReply): string {
  return `${code} ${lines.join(' ')}`.trim().slice(0, 300)
}

export function notSpoken(said: string): Failure {
  return new Failure('protocol_not_spoken', `${JSON.stringify(said.slice(0, 100))} was not expected`)
}
