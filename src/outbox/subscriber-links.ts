import { isSignature, readSigningKey, sign } from '../database/accounts/signing-keys.ts'
import type { Executor } from '../database/connect.ts'

/** Purposes of tokens: one confirms an address, one changes the choice and leaves, one is a webhook's challenge. */
export type LinkPurpose = 'confirm' | 'manage' | 'challenge'

/** The key that signs the links of subscribers. */
export function readSubscriberKey(executor: Executor): Promise<Buffer> {
  return readSigningKey(executor, 'links of subscribers')
}

function signatureOf(key: Buffer, purpose: LinkPurpose, id: string): string {
  return sign(key, `${purpose} ${id}`).subarray(0, 16).toString('base64url')
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
  const isOurs = isSignature(given, signatureOf(key, purpose, id))
  const subscriberId = Number.parseInt(id, 36)
  return isOurs && subscriberId <= largestId ? subscriberId : null
}

const largestId = 2 ** 31 - 1
