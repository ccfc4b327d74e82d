import { Option } from 'commander'
import { type Client, createClient, ProblemError, UnreachableError } from '../../client/client.ts'
import type { Api, ApiRequest } from '../configuration/api.ts'
import { CannotStart } from '../program/cannot-start.ts'
import { languageOfMachine } from './machine-language.ts'

/** An installation that a command asks over its API, with somebody's login. */

export interface RemoteFlags {
  readonly server?: string
  readonly token?: string
}

/** The options of every command that asks an installation. */
export function remoteOptions(): readonly Option[] {
  return [
    new Option('--server <url>', 'address of the installation').env('LATARNIK_URL'),
    new Option('--token <token>', 'a token of the API; safer in LATARNIK_TOKEN, which other users cannot see').env(
      'LATARNIK_TOKEN',
    ),
  ]
}

export interface Remote {
  readonly origin: string
  /** Refusals reject with a sentence for the person at the terminal. */
  ask<Found>(work: (api: Client) => Promise<Found>): Promise<Found>
}

/** Every answer of "too many requests" is waited for; it says that nothing was done. */
const retry = { times: 5, longestWaitSeconds: 120, repeatsPost: true }

/** `https://host/below`, with or without `/v3` at its end. */
function addressOf(given: string): URL {
  let url: URL
  try {
    url = new URL(given)
  } catch {
    throw new CannotStart(
      `--server (LATARNIK_URL) is no address: ${given}. Expected https://host, or http://host:port.`,
    )
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new CannotStart(`--server (LATARNIK_URL) must begin with https:// or http://: ${given}`)
  return url
}

function loginOf({ token }: RemoteFlags, environment: NodeJS.ProcessEnv) {
  if (token !== undefined && token !== '') return { token }
  const { LATARNIK_USERNAME: username, LATARNIK_PASSWORD: password } = environment
  if (username !== undefined && password !== undefined) return { username, password }
  throw new CannotStart('Set LATARNIK_TOKEN, or LATARNIK_USERNAME and LATARNIK_PASSWORD.')
}

interface Reached {
  readonly origin: string
  readonly api: Client
}

/** @param source for the audit log of the installation */
function reach(flags: RemoteFlags, environment: NodeJS.ProcessEnv, source: 'cli' | 'apply'): Reached {
  if (flags.server === undefined) throw new CannotStart('Name the installation: --server, or LATARNIK_URL.')
  const { origin, pathname } = addressOf(flags.server)
  return {
    origin,
    api: createClient({
      server: origin + pathname,
      ...loginOf(flags, environment),
      language: languageOfMachine(environment),
      headers: { 'Latarnik-Source': source },
      retry,
    }),
  }
}

export function remoteOf(flags: RemoteFlags, environment: NodeJS.ProcessEnv = process.env): Remote {
  const { origin, api } = reach(flags, environment, 'cli')
  return {
    origin,
    async ask(work) {
      try {
        return await work(api)
      } catch (error) {
        throw forPerson(error, origin)
      }
    },
  }
}

/** The installation for configuration as code, which looks at refusals by itself. */
export function apiOf(flags: RemoteFlags, environment: NodeJS.ProcessEnv = process.env): Api {
  const { origin, api } = reach(flags, environment, 'apply')
  return {
    origin,
    async send({ method, path, body, ifMatch }: ApiRequest) {
      try {
        const headers = { Accept: 'application/json', ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }) }
        const response = await api.send(method, path, { body, headers })
        const { status } = response
        return { status, body: status === 204 ? null : await jsonOf(response), etag: response.headers.get('etag') }
      } catch (error) {
        if (!(error instanceof ProblemError) || isOfLogin(error)) throw forPerson(error, origin)
        return { status: error.status, body: error.problems, etag: null }
      }
    },
  }
}

/** Every other request would be refused too. */
function isOfLogin({ status }: ProblemError): boolean {
  return status === 401 || status === 429 || status >= 500 || isRedirect(status)
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    throw new UnreachableError('The answer is no JSON', { cause })
  }
}

function forPerson(error: unknown, origin: string): unknown {
  if (error instanceof UnreachableError) {
    if (error.cause instanceof SyntaxError) return new CannotStart(`${origin} is no Latarnik: its answer is no JSON.`)
    return new CannotStart(`${origin} cannot be reached: ${reasonOf(error)}.`)
  }
  if (!(error instanceof ProblemError)) return error
  const { status, headers } = error
  if (isRedirect(status)) {
    return new CannotStart(`${origin} redirects to ${headers.get('location') ?? 'elsewhere'}: use that address.`)
  }
  const hint = status === 401 ? ' Is the token, or the password, right?' : ''
  return new CannotStart(`${origin} refuses (${status}). ${toldBy(error)}${hint}`.trim())
}

/** The messages of a refusal, as the installation words them. */
function toldBy({ problems }: ProblemError): string {
  return problems.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`)).join(' ')
}

/** The cause of the causes says most: `connect ECONNREFUSED 127.0.0.1:1`. */
function reasonOf(error: Error): string {
  const { cause } = error
  return cause instanceof Error ? reasonOf(cause) : error.message || error.name
}
