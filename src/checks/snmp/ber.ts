import { Failure } from '../../outgoing/failure.ts'

/** The part of BER (X.690) that SNMP uses: definite lengths, tags of one byte. */
export interface Element {
  readonly tag: number
  readonly body: Buffer
}

export function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), body])
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), body])
}

export function integerElement(value: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.writeInt32BE(value, 1)
  return element(2, bytes.subarray(1))
}

/** `1.3.6…`; undefined where a number is too large. */
export function oidElement(oid: string): Buffer | undefined {
  const [first = 0, second = 0, ...rest] = oid.replace(/^\./, '').split('.').map(Number)
  const numbers = [first * 40 + second, ...rest]
  if (numbers.some((number) => !Number.isInteger(number) || number > 0xffffffff)) return undefined
  return element(6, Buffer.from(numbers.flatMap(base128)))
}

function base128(number: number): number[] {
  const digits = [number % 128]
  for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128)) digits.unshift(128 + (left % 128))
  return digits
}

/** The elements that follow each other in the bytes. Rejects what is cut. */
export function elementsIn(bytes: Buffer): readonly Element[] {
  const found: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0x80
    const width = first < 0x80 ? 0 : first & 0x7f
    if (first === 0x80 || width > 3 || at + 2 + width > bytes.length) throw cut()
    const length = width === 0 ? first : bytes.readUIntBE(at + 2, width)
    const start = at + 2 + width
    if (start + length > bytes.length) throw cut()
    found.push({ tag, body: bytes.subarray(start, start + length) })
    at = start + length
  }
  return found
}

function cut(): Failure {
  return new Failure('protocol_not_spoken', 'the answer is not SNMP')
}

/** A whole number with its sign, or without where the application type has none. */
export function numberOf({ tag, body }: Element): string {
  if (body.length === 0 || body.length > 16) throw cut()
  const unsigned = BigInt(`0x${body.toString('hex')}`)
  const isNegative = tag === 2 && (body[0] ?? 0) >= 0x80
  return String(isNegative ? unsigned - (1n << BigInt(8 * body.length)) : unsigned)
}

export function oidOf({ body }: Element): string {
  const numbers: number[] = []
  let number = 0
  for (const byte of body) {
    number = number * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    numbers.push(number)
    number = 0
  }
  const [first = 0, ...rest] = numbers
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - 40 * root, ...rest].join('.')
}
