import { isSignature, readSigningKey, sign } from '../database/accounts/signing-keys.ts'
import type { Executor } from '../database/connect.ts'

/** How long a link works, in milliseconds. */
export const linkLasts = 3_600_000

/** A file that anybody with its link can download without a login. */
export interface LinkedFile {
  /** The object that the file belongs to, as written in the path of the link. */
  readonly of: string
  /** Where its bytes are kept. */
  readonly key: string
  readonly type: string
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** The key that signs this installation's links. */
export function readDownloadKey(executor: Executor): Promise<Buffer> {
  return readSigningKey(executor, 'links that download')
}

function signatureOf(key: Buffer, body: string): string {
  return sign(key, body).toString('base64url')
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
  if (body === '' || !isSignature(given, signatureOf(key, body))) return null
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
