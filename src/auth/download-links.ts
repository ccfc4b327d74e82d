import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Executor } from '../database/connect.ts'
import { readCore } from '../database/processes.ts'

/** How long a link works, in milliseconds. */
export const linkLasts = 3_600_000

/** A file that whoever has its link downloads without a login. */
export interface LinkedFile {
  /** The object that it belongs to, as its path names it. */
  readonly of: string
  /** Where its bytes are kept. */
  readonly key: string
  readonly type: string
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** The key that signs this installation's links. */
export async function readDownloadKey(executor: Executor): Promise<Buffer> {
  const { key } = await readCore(executor)
  return createHmac('sha256', key).update('links that download').digest()
}

function signatureOf(key: Buffer, body: string): string {
  return createHmac('sha256', key).update(body).digest('base64url')
}

export function downloadToken(key: Buffer, file: LinkedFile, expiresAt: number): string {
  const body = Buffer.from(JSON.stringify([file.of, file.key, file.type, file.name, file.size, expiresAt])).toString(
    'base64url',
  )
  return `${body}.${signatureOf(key, body)}`
}

/** Null: it was not made here, or it is too old. */
export function readDownloadToken(key: Buffer, token: string, nowAt: number): LinkedFile | null {
  const [, body = '', given = ''] = /^([\w-]{1,4000})\.([\w-]{43})$/.exec(token) ?? []
  if (body === '' || !timingSafeEqual(Buffer.from(given), Buffer.from(signatureOf(key, body)))) return null
  const written = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
    string,
    string,
    string,
    string,
    number,
    number,
  ]
  const [of, storedKey, type, name, size, expiresAt] = written
  return nowAt < expiresAt ? { of, key: storedKey, type, name, size } : null
}
