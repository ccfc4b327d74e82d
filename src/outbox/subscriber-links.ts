import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Executor } from '../database/connect.ts'
import { readCore } from '../database/processes.ts'

/** Purposes of tokens: one confirms an address, one changes the choice and leaves, one is a webhook's challenge. */
export type LinkPurpose = 'confirm' | 'manage' | 'challenge'

/** The key that signs the links of subscribers. */
export async function readSubscriberKey(executor: Executor): Promise<Buffer> {
  const { key } = await readCore(executor)
  return createHmac('sha256', key).update('links of subscribers').digest()
}

function signatureOf(key: Buffer, purpose: LinkPurpose, id: string): string {
  return createHmac('sha256', key).update(`${purpose} ${id}`).digest().subarray(0, 16).toString('base64url')
}

/** The subscriber's number to the base of 36 and 128 bits that nobody can guess. */
export function subscriberToken(key: Buffer, purpose: LinkPurpose, subscriberId: number): string {
  const id = subscriberId.toString(36)
  return `${id}.${signatureOf(key, purpose, id)}`
}

/** The subscriber's id; null: the token was not made here for this purpose. */
export function readSubscriberToken(key: Buffer, purpose: LinkPurpose, token: string): number | null {
  const [, id = '', given = ''] = /^([0-9a-z]{1,6})\.([\w-]{22})$/.exec(token) ?? []
  if (id === '') return null
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(signatureOf(key, purpose, id)))
  const subscriberId = Number.parseInt(id, 36)
  return isOurs && subscriberId <= largestId ? subscriberId : null
}

const largestId = 2 ** 31 - 1
