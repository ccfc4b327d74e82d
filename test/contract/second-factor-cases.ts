import { raw } from 'sql-template-tag'
import { createAuthenticator } from '../../src/auth/authenticate.ts'
import { enableWithPasskeys } from '../../src/auth/second-factor.ts'
import { passkeys } from '../../src/resources/accounts/passkeys.ts'
import { registryOf } from '../../src/rest/declare.ts'
import { unlimited } from '../../src/rest/rate-limit.ts'
import { buildApi } from '../../src/rest/server.ts'
import { type ApiWorld, authorizationOf } from '../support/api.ts'
import { givenPasskey } from '../support/passkeys.ts'
import type { ErrorCase } from './error-cases.ts'

/** The last fields of an address. */
export const managed = 'managed_key, managed_by, managed_state'

const password = 'nobody guesses this'

/** A customer of Alice's; returns its identifier. */
async function makeCustomer(world: ApiWorld, username: string, isFactorRequired: boolean): Promise<number> {
  const made = await world.call('alice', 'POST', '/accounts/subaccount', {
    ...{ username, password, is_2fa_setup_required: isFactorRequired },
    user_data: { email_address: `${username}@example.com` },
  })
  if (made.status !== 201) throw new Error(`The account could not be made: ${made.text}`)
  return (made.body as { id: number }).id
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
      await makeCustomer(world, 'careful', true)
      const login = Buffer.from(`careful:${password}`).toString('base64')
      const authorization = `Basic ${login}`
      return (headers) => world.call(null, 'GET', '/groups', undefined, { authorization, ...headers })
    },
  },
  last_second_factor: {
    async prepare(world) {
      const owner = await makeCustomer(world, 'keeper', false)
      const id = await givenPasskey(world.database, owner, 'api.test')
      const session = await world.call(null, 'POST', '/sessions', { username: 'keeper', password })
      const authorization = `Bearer ${(session.body as { token: string }).token}`
      await world.database.transaction((transaction) => enableWithPasskeys(transaction, owner, world.clock.now()))
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
