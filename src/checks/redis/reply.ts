import { Failure } from '../../outgoing/failure.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'

/** A reply as text, elements of arrays one a line; null where there is no value. */
export type RedisReply = { readonly text: string | null } | { readonly error: string }

const deepest = 8
const mostElements = 10_000

/** A command as an array of bulk strings (Redis serialization protocol specification). */
export function redisCommand(parts: readonly string[]): string {
  return `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`
}

export async function readRedisReply(line: ProtocolLine): Promise<RedisReply> {
  const left = { elements: mostElements }
  return readValue(line, left, 0)
}

async function readValue(line: ProtocolLine, left: { elements: number }, depth: number): Promise<RedisReply> {
  const head = await line.readLine()
  const rest = head.slice(1)
  left.elements -= 1
  if (left.elements < 0 || depth > deepest) throw new Failure('protocol_answer_too_large', 'an array without end')
  switch (head[0]) {
    case '+':
      return { text: rest }
    case ':':
      return { text: String(integerOf(head)) }
    case '-':
      return { error: Buffer.from(rest, 'latin1').toString('utf8').slice(0, 300) }
    case '$': {
      const length = integerOf(head)
      if (length < 0) return { text: null }
      const bytes = await line.take(length + 2)
      return { text: bytes.subarray(0, length).toString('utf8') }
    }
    case '*': {
      const parts: string[] = []
      for (let count = integerOf(head); count > 0; count -= 1) {
        const element = await readValue(line, left, depth + 1)
        parts.push('error' in element ? element.error : (element.text ?? ''))
      }
      return { text: parts.join('\n') }
    }
    default:
      throw notSpoken(head)
  }
}

function integerOf(head: string): number {
  if (/^.-?\d{1,15}$/.test(head)) return Number(head.slice(1))
  throw notSpoken(head)
}
