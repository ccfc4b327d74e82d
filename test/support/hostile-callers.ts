import { authorizationOf, type Reply } from './api.ts'
import { codeOf } from './credentials.ts'
import type { FurnishedWorld } from './furnished.ts'
import { names, passwordOf } from './people.ts'

/** Values of the Authorization header. */
export interface Callers {
  /** Of those whom operations serve: the owner by password and by token, her sub-account, the administrator. */
  readonly customers: readonly string[]
  readonly administrators: readonly string[]
  /** Of everybody, and what somebody might send instead. */
  readonly others: readonly string[]
}

const bearer = (reply: Reply) => `Bearer ${(reply.body as { readonly token: string }).token}`

/** Carol with a second factor: a token that may do everything, and one that still waits for its code. */
async function withSecondFactor(world: FurnishedWorld): Promise<readonly string[]> {
  const login = { username: 'carol', password: passwordOf('carol') }
  const whole = bearer(await world.call(null, 'POST', '/sessions', login))
  const as = (path: string, body?: object) =>
    world.call(null, 'POST', `/accounts/my_account/2fa/${path}`, body, { authorization: whole })
  await as('setup')
  await as('verify', { code: await codeOf(world.database, world.people.ids.carol, world.clock.now()) })
  return [whole, bearer(await world.call(null, 'POST', '/sessions', login))]
}

/** Of a session that was ended, and of one whose minute passes. */
async function over(world: FurnishedWorld): Promise<readonly string[]> {
  const login = { username: 'alice', password: passwordOf('alice') }
  const ended = bearer(await world.call(null, 'POST', '/sessions', login))
  await world.call(null, 'DELETE', '/sessions/my_session', undefined, { authorization: ended })
  const short = await world.call(null, 'POST', '/sessions', { ...login, expiration_duration: 60 })
  return [ended, bearer(short)]
}

const malformed = [
  ...['', 'Bearer', 'Bearer x', `Bearer ${'a'.repeat(43)}`, `Bearer ${'a'.repeat(40_000)}`],
  ...[`Bearer a${' '.repeat(20_000)}b`, 'Basic', 'Basic AAAA', `Basic ${btoa('alice')}`, `Basic ${btoa('al\0ice:x')}`],
  ...['Digest a=b', '\u00ff'],
]

/** With a session of this very moment: the last one may have been ended. */
export async function servedCallers(world: FurnishedWorld): Promise<Pick<Callers, 'customers' | 'administrators'>> {
  const login = { username: 'alice', password: passwordOf('alice') }
  const token = bearer(await world.call(null, 'POST', '/sessions', login))
  return {
    customers: [authorizationOf('alice'), token, token, authorizationOf('adam')],
    administrators: [authorizationOf('dora')],
  }
}

export async function otherCallers(world: FurnishedWorld): Promise<readonly string[]> {
  const tokens = [world.tokens.alice, world.tokens.charlie].map((token) => `Bearer ${token}`)
  const special = [...tokens, ...(await withSecondFactor(world)), ...(await over(world))]
  return [...names.map(authorizationOf), ...special, ...names.map(authorizationOf), ...malformed]
}
