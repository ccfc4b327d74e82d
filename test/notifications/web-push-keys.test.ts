import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWebPushKeys } from '../../src/outbox/web-push-keys.ts'
import { testDatabase } from '../support/database.ts'

let world: Awaited<ReturnType<typeof testDatabase>>

beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.drop())

test('the pair of an installation stays, whoever asks', async () => {
  const [one, other] = await Promise.all([readWebPushKeys(world.database), readWebPushKeys(world.database)])
  expect(one).toEqual(other)
  expect(Buffer.from(one.publicKey, 'base64url')).toHaveLength(65)
})

test('a private key that begins with zeros has all of its 32 bytes', async () => {
  const scalar = Buffer.concat([Buffer.alloc(2), Buffer.alloc(30, 9)])
  for (const stored of [scalar, scalar.subarray(2)]) {
    await world.database.execute(sql`update core set web_push_key = ${stored}`)
    const { privateKey } = await readWebPushKeys(world.database)
    expect(Buffer.from(privateKey, 'base64url')).toEqual(scalar)
  }
})
