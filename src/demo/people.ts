/** The company's people, who use the API as they would have done over the month. */
import type { FastifyInstance } from 'fastify'

export type Person = 'owner' | 'ania' | 'tom' | 'agency' | 'administrator'

export interface Login {
  readonly username: string
  readonly password: string
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Longer than the month. Seconds. */
const sessionLength = 40 * 86_400

const programs: Readonly<Record<Person, string>> = {
  owner: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ania: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
  tom: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
  agency: 'agency-dashboard/2.4',
  administrator: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

export class People {
  readonly #api: FastifyInstance
  readonly #logins: Readonly<Record<Person, Login>>
  readonly #tokens = new Map<Person, string>()

  constructor(api: FastifyInstance, logins: Readonly<Record<Person, Login>>) {
    this.#api = api
    this.#logins = logins
  }

  /** Begins a session, or a new one. */
  async logIn(person: Person): Promise<void> {
    const body = { ...this.#logins[person], expiration_duration: sessionLength }
    const { token } = (await this.#call(person, 'POST', '/sessions', body, null)) as { token: string }
    this.#tokens.set(person, token)
  }

  async call(person: Person, method: Method, path: string, body?: unknown): Promise<unknown> {
    if (!this.#tokens.has(person)) await this.logIn(person)
    return this.#call(person, method, path, body, this.#tokens.get(person) ?? null)
  }

  async make(person: Person, path: string, body: unknown): Promise<number> {
    return ((await this.call(person, 'POST', path, body)) as { id: number }).id
  }

  /** A refused call is a fault of the demo. */
  async #call(person: Person, method: Method, path: string, body: unknown, token: string | null): Promise<unknown> {
    const { statusCode, payload } = await this.#api.inject({
      ...{ method, url: `/v3${path}` },
      headers: {
        'user-agent': programs[person],
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    if (statusCode >= 300) throw new Error(`${method} ${path} is refused (${statusCode}): ${payload}`)
    return payload === '' ? undefined : (JSON.parse(payload) as unknown)
  }
}
