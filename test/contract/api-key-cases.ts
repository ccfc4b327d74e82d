import type { ApiWorld } from '../support/api.ts'
import type { Ask, ErrorCase } from './error-cases.ts'

async function keyOf(world: ApiWorld, body: object): Promise<string> {
  const reply = await world.call('alice', 'POST', '/api_keys', { name: 'Key', ...body })
  if (reply.status !== 201) throw new Error(`The key could not be made: ${reply.text}`)
  return (reply.body as { key: string }).key
}

type Method = Parameters<ApiWorld['call']>[1]

/** A request of a key of Alice's. */
function asKey(body: (world: ApiWorld) => object, method: Method, path: string): ErrorCase['prepare'] {
  return async (world): Promise<Ask> => {
    const authorization = `Bearer ${await keyOf(world, body(world))}`
    return (headers) => world.call(null, method, path, undefined, { authorization, ...headers })
  }
}

export const apiKeyCases = {
  invalid_token: {
    async prepare(world) {
      const authorization = `Bearer lat_${'x'.repeat(43)}`
      return (headers) => world.call(null, 'GET', '/groups', undefined, { authorization, ...headers })
    },
  },
  insufficient_scope: {
    facts: { scope: 'write' },
    prepare: asKey(() => ({ scopes: ['read'] }), 'DELETE', '/groups/1'),
  },
  not_for_api_keys: { prepare: asKey(() => ({ scopes: ['account'] }), 'POST', '/accounts/my_account/2fa/setup') },
  api_key_is_narrowed: {
    prepare: asKey(({ people }) => ({ scopes: ['account'], group_ids: [people.sharedGroupId] }), 'GET', '/accounts'),
  },
} as const satisfies Readonly<Record<string, ErrorCase>>
