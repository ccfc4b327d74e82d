import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Executor } from '../connect.ts'
import { readCore } from '../processes.ts'

/** The core's key for one purpose: a signature for another purpose proves nothing. */
export async function readSigningKey(executor: Executor, purpose: string): Promise<Buffer> {
  const { key } = await readCore(executor)
  return sign(key, purpose)
}

export function sign(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** True if the text is the signature; the comparison takes the same time wherever they differ. */
export function isSignature(given: string, signature: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(signature)]
  return one.length === other.length && timingSafeEqual(one, other)
}
