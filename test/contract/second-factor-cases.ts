import { raw } from 'sql-template-tag'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { enableWithPasskeys } from '../../src/auth/second-factor.ts'
import { passkeys } from '../../src/resources/accounts/passkeys.ts'
import { registryOf } from '../../src/rest/declare.ts'
import { unlimited } from '../../src/rest/rate-limit.ts'
import { buildApi } from '../../src/rest/server.ts'
import { type ApiWorld, authorizationOf } from '../support/api.ts'
import { givenPasskey } from '../support/passkeys.ts'
import { passwordOf } from '../support/people.ts'
import type { ErrorCase } from './error-cases.ts'

/** The last fields of an address. */
export const managed = 'managed_key, managed_by, managed_state'

const customer = {
  ...{ username: 'careful', password: 'nobody guesses this', is_2fa_setup_required: true },
  user_data: { email_address: 'careful@example.com' },
}

const atAddress = 'http://192.0.2.7'

/** A server over the same things that people reach by its IP address. */
function serverAtAddress({ database, clock, registry, server }: ApiWorld) {
  const authenticator = createAuthenticator({ database, clock, loginLimit: 10, publicUrl: atAddress })
  const ours = passkeys(authenticator)
  return buildApi({
    ...{ database, clock, authenticate: authenticator.authenticate, requestsPerMinute: unlimited },
    registry: registryOf(registry.all.map((resource) => (resource.name === ours.name ? ours : resource))),
    ...{ collation: raw(''), publicUrl: atAddress, trustedProxies: [], log: server.log },
  })
}

export const secondFactorCases = {
  second_factor_setup_required: {
    async prepare(world) {
      const made = await world.call('alice', 'POST', '/accounts/subaccount', customer)
      if (made.status !== 201) throw new Error(`The account could not be made: ${made.text}`)
      const login = Buffer.from(`${customer.username}:${customer.password}`).toString('base64')
      const authorization = `Basic ${login}`
      return (headers) => world.call(null, 'GET', '/groups', undefined, { authorization, ...headers })
    },
  },
  last_second_factor: {
    async prepare(world) {
      const { alice } = world.people.ids
      const id = await givenPasskey(world.database, alice)
      const session = await world.call(null, 'POST', '/sessions', { username: 'alice', password: passwordOf('alice') })
      const authorization = `Bearer ${(session.body as { token: string }).token}`
      await world.database.transaction((transaction) => enableWithPasskeys(transaction, alice, world.clock.now()))
      return (headers) => world.call(null, 'DELETE', `/passkeys/${id}`, undefined, { authorization, ...headers })
    },
  },
  passkeys_unavailable: {
    facts: { address: atAddress },
    async prepare(world) {
      const server = await serverAtAddress(world)
      return async (headers) => {
        const url = '/v3/passkeys/options'
        const reply = await server.inject({
          ...{ method: 'POST', url, headers: { authorization: authorizationOf('alice'), ...headers } },
        })
        return { status: reply.statusCode, headers: reply.headers, body: reply.json(), text: reply.payload }
      }
    },
  },
} as const satisfies Record<string, ErrorCase>
