import { type Client, type ClientOptions, createClient } from '../../client/client.ts'
import type { ApiWorld } from './api.ts'
import { type Person, passwordOf } from './people.ts'

/** The API of a test's world as a `fetch`, without sockets. */
export function fetchOf({ server }: ApiWorld): NonNullable<ClientOptions['fetch']> {
  return async (address, { method, headers, body, signal }) => {
    signal?.throwIfAborted()
    const { pathname, search } = new URL(address)
    const reply = await server.inject({
      method: method === 'POST' || method === 'PUT' || method === 'DELETE' ? method : 'GET',
      url: pathname + search,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' ? { payload: body } : {}),
    })
    const shown = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)])
    const hasBody = reply.statusCode !== 204 && reply.statusCode !== 304
    return new Response(hasBody ? new Uint8Array(reply.rawPayload) : null, {
      status: reply.statusCode,
      headers: shown,
    })
  }
}

/** The API of a test's world as a person calls it. */
export function clientOf(world: ApiWorld, username: Person, more: Partial<ClientOptions> = {}): Client {
  const login = { username, password: passwordOf(username) }
  return createClient({ server: 'http://latarnik.test', ...login, fetch: fetchOf(world), ...more })
}
