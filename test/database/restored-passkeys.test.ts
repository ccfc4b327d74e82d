import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { findBrokenAudit } from '../../src/database/accounts/audit-log.ts'
import type { Database } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { emptyDatabase, type TestDatabase, urlOf } from '../support/database.ts'
import { type DumpPlace, dumpPlace, load, write } from '../support/dumping.ts'
import { deviceOf } from '../support/own-passkey.ts'
import type { SoftAuthenticator } from '../support/passkeys.ts'

/** A passkey logs in to an installation that was restored at the same address. */

let world: ApiWorld
let device: SoftAuthenticator
let place: DumpPlace
const restored: TestDatabase[] = []

beforeAll(async () => {
  world = await apiWorld()
  device = await deviceOf(world, 'bob')
  place = await dumpPlace()
})
afterAll(async () => {
  for (const one of restored) await one.drop()
  await world.drop()
  await place.remove()
})

function passkeysOf(database: Database, publicUrl: string) {
  return createAuthenticator({ database, clock: world.clock, loginLimit: 100, publicUrl }).passkeys
}

async function logIn(database: Database, publicUrl: string) {
  const passkeys = passkeysOf(database, publicUrl)
  const origin = { ipAddress: '127.0.0.1', userAgent: 'test', root: publicUrl }
  const begun = await passkeys.beginLogin(origin)
  if (!('options' in begun)) throw new Error(JSON.stringify(begun))
  return passkeys.logIn({ ...origin, response: device.answer(begun.options) })
}

test.each(['backup', 'export'] as const)('a %s keeps passkeys, and they log in where it was restored', async (kind) => {
  const target = await emptyDatabase()
  restored.push(target)
  // An export is loaded into the tables of the present version.
  if (kind === 'export') await migrate(target.database, world.clock)
  const file = place.path(`${kind}.tar`)
  await write({ kind, file, url: await urlOf(world.database), artifacts: world.artifacts })
  await load({ kind, file, url: target.url, artifacts: place.artifacts(kind) })
  const outcome = await logIn(target.database, 'https://api.test')
  expect(outcome).toMatchObject({ session: { token: expect.any(String), is_verified: true } })
  expect(await logIn(target.database, 'https://elsewhere.test')).toMatchObject({
    problems: [{ error: 'incorrect_credentials' }],
  })
  expect(await findBrokenAudit(target.database)).toBeNull()
})
