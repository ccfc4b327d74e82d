import { createECDH } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { readCore } from '../database/processes.ts'

/** A key pair on P-256, each half in base64url as RFC 8292 has it. */
export interface WebPushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** The pair of this installation; made by whoever asks first. */
export async function readWebPushKeys(executor: Executor): Promise<WebPushKeys> {
  await readCore(executor)
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  await executor.execute(sql`update core set web_push_key = ${curve.getPrivateKey()} where web_push_key is null`)
  const [core] = await executor.query<{ key: Buffer }>(sql`select web_push_key as key from core`)
  if (core === undefined) throw new Error('The database has no core.')
  curve.setPrivateKey(core.key)
  return { publicKey: curve.getPublicKey('base64url'), privateKey: padded(curve.getPrivateKey()).toString('base64url') }
}

/** Node leaves out zeros at the beginning, which one key in 256 has; RFC 8292 wants all 32 bytes. */
function padded(key: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(32 - key.length), key])
}
