import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'

/**
 * Why a message is refused: no process of this core sealed it for this receiver, it was seen before, or it is too old.
 */
export type SealRefusal = 'not_ours' | 'repeated' | 'outdated'

export type Opened = { readonly sender: string; readonly content: Buffer } | { readonly refusal: SealRefusal }

export interface SealOptions {
  /** All processes of the core read it from the database. */
  readonly coreKey: Buffer
  /** The id of this process. Each start has another one, so no key ever seals two messages with one number. */
  readonly me: string
  readonly clock: Clock
}

interface Sealing {
  readonly key: KeyObject
  lastNumber: number
}

interface Opening extends Sealing {
  sentAt: number
}

const algorithm = 'aes-256-gcm'
const version = 1
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** Version and the length of the sender's id. */
const prefixBytes = 2
/** Number and moment. */
const numbersBytes = 16
/** The tolerance for differing clocks and for a message's travel time. */
const toleranceMs = 60_000
/** Above this number of senders, those that are long gone are removed. */
const usualSenders = 100

/** The largest overhead of a sealed message over its content. */
export const longestSealBytes = prefixBytes + 255 + numbersBytes + tagBytes

/**
 * Protects messages between the processes of one core that pass through foreign hands. A message is encrypted and bound
 * to its sender, receiver, number and moment. Numbers only grow, so a message is opened once.
 */
export class Seal {
  readonly #options: SealOptions
  readonly #sealing = new Map<string, Sealing>()
  readonly #opening = new Map<string, Opening>()

  constructor(options: SealOptions) {
    this.#options = options
  }

  seal(receiver: string, content: Buffer): Buffer {
    const { me, clock } = this.#options
    const known = this.#sealing.get(receiver) ?? { key: this.#key(me, receiver), lastNumber: 0 }
    this.#sealing.set(receiver, known)
    known.lastNumber += 1
    const head = headOf({ sender: me, number: known.lastNumber, sentAt: clock.now() })
    const cipher = createCipheriv(algorithm, known.key, nonceOf(known.lastNumber))
    cipher.setAAD(head)
    const sealed = cipher.update(content)
    cipher.final()
    return Buffer.concat([head, sealed, cipher.getAuthTag()])
  }

  open(receiver: string, message: Buffer): Opened {
    const head = readHead(message)
    if (head === null) return { refusal: 'not_ours' }
    const { sender, number, sentAt, length } = head
    const now = this.#options.clock.now()
    const name = `${sender}\n${receiver}`
    const known = this.#opening.get(name) ?? { key: this.#key(sender, receiver), lastNumber: 0, sentAt }
    const content = decrypted(known.key, number, message, length)
    if (content === null) return { refusal: 'not_ours' }
    if (Math.abs(now - sentAt) > toleranceMs) return { refusal: 'outdated' }
    if (number <= known.lastNumber) return { refusal: 'repeated' }
    this.#opening.set(name, { ...known, lastNumber: number, sentAt })
    this.#forgetGone(now)
    return { sender, content }
  }

  /** Each key serves one direction and one receiver. */
  #key(sender: string, receiver: string): KeyObject {
    const info = `latarnik exchange ${version}\n${sender}\n${receiver}`
    return createSecretKey(Buffer.from(hkdfSync('sha256', this.#options.coreKey, '', info, keyBytes)))
  }

  /** A message older than the sender's last one is outdated anyway. */
  #forgetGone(now: number): void {
    if (this.#opening.size <= usualSenders) return
    for (const [name, { sentAt }] of this.#opening) {
      if (Math.abs(now - sentAt) > 2 * toleranceMs) this.#opening.delete(name)
    }
  }
}

interface Head {
  readonly sender: string
  readonly number: number
  readonly sentAt: number
}

function headOf({ sender, number, sentAt }: Head): Buffer {
  const name = Buffer.from(sender)
  const head = Buffer.alloc(prefixBytes + name.length + numbersBytes)
  head[0] = version
  head[1] = name.length
  name.copy(head, prefixBytes)
  head.writeDoubleBE(number, prefixBytes + name.length)
  head.writeDoubleBE(sentAt, prefixBytes + name.length + 8)
  return head
}

function readHead(message: Buffer): (Head & { readonly length: number }) | null {
  const [given, nameLength = 0] = message
  const length = prefixBytes + nameLength + numbersBytes
  if (given !== version || message.length < length + tagBytes) return null
  const number = message.readDoubleBE(prefixBytes + nameLength)
  const sentAt = message.readDoubleBE(prefixBytes + nameLength + 8)
  if (!Number.isSafeInteger(number) || number < 1 || !Number.isFinite(sentAt)) return null
  return { sender: message.toString('utf8', prefixBytes, prefixBytes + nameLength), number, sentAt, length }
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(nonceBytes)
  nonce.writeDoubleBE(number, nonceBytes - 8)
  return nonce
}

/** Null if it was sealed with another key, or changed since. */
function decrypted(key: KeyObject, number: number, message: Buffer, headLength: number): Buffer | null {
  const decipher = createDecipheriv(algorithm, key, nonceOf(number), { authTagLength: tagBytes })
  decipher.setAAD(message.subarray(0, headLength))
  decipher.setAuthTag(message.subarray(message.length - tagBytes))
  const content = decipher.update(message.subarray(headLength, message.length - tagBytes))
  try {
    decipher.final()
    return content
  } catch {
    return null
  }
}
