import { expect } from 'vitest'
import type { ApiWorld } from './api.ts'
import { SoftAuthenticator } from './passkeys.ts'
import { type Person, passwordOf } from './people.ts'

/** A device with a passkey of the person, for the site of the test's world. */
export async function deviceOf(world: ApiWorld, person: Person): Promise<SoftAuthenticator> {
  const device = new SoftAuthenticator({ origin: 'https://api.test', rpId: 'api.test' })
  const login = await world.call(null, 'POST', '/sessions', { username: person, password: passwordOf(person) })
  const headers = { authorization: `Bearer ${(login.body as { token: string }).token}` }
  const options = await world.call(null, 'POST', '/passkeys/options', undefined, headers)
  const response = device.register(options.body as Parameters<SoftAuthenticator['register']>[0])
  const made = await world.call(null, 'POST', '/passkeys', { name: 'Telephone', response }, headers)
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return device
}
