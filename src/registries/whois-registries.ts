import { dayLength, hourLength } from '../domain/calendars/durations.ts'
import type { Clock } from '../domain/clock.ts'
import type { RegistryAnswer, RegistryFault } from '../domain/expiry/registration.ts'
import type { Dialler } from '../outgoing/dial.ts'
import type { RegistryStore } from './store.ts'
import { askWhois, referralIn } from './whois.ts'
import { readWhois } from './whois-answer.ts'

/** Registries without RDAP: the server of each top-level domain is asked in WHOIS. */

export interface WhoisWay {
  /** The server that names those of top-level domains: `host` or `host:port`. */
  readonly server: string
  readonly dialler: Dialler
}

interface Parts extends WhoisWay {
  readonly store: Pick<RegistryStore, 'server' | 'keepServer'>
  readonly clock: Clock
}

/** A server that does not want more questions today. */
const refusalPause = dayLength / 4
const referralAge = { found: 7 * dayLength, missing: dayLength, failed: hourLength }

/** The server for the domain; null: its top-level domain has none. */
export async function whoisServerFor(domain: string, parts: Parts): Promise<string | null | RegistryFault> {
  const { server, dialler, store, clock } = parts
  const suffix = domain.slice(domain.lastIndexOf('.') + 1)
  const key = `whois://${server}/${suffix}`
  const now = clock.now()
  const known = await store.server(key)
  if (known !== null && known.askAfter > now && known.content !== null) return known.content || null
  if (known !== null && known.askAfter > now) return silent(server)
  const reply = await askWhois(server, suffix, dialler)
  const old = known?.content ?? null
  const found = 'error' in reply ? undefined : referralIn(reply.text)
  if (found === undefined) {
    await store.keepServer(key, { askAfter: now + referralAge.failed, etag: null, content: old })
    return old || ('error' in reply ? { symbol: 'registry_silent', message: reply.error } : silent(server))
  }
  const age = found === null ? referralAge.missing : referralAge.found
  await store.keepServer(key, { askAfter: now + age, etag: null, content: found ?? '' })
  return found
}

function silent(server: string): RegistryFault {
  return { symbol: 'registry_silent', message: `${server} did not answer` }
}

export interface WhoisAnswer {
  readonly answer: RegistryAnswer
  /** How long the server is to be left alone, in milliseconds; null: it did not say. */
  readonly retryAfter: number | null
}

export async function askWhoisServer(server: string, domain: string, dialler: Dialler): Promise<WhoisAnswer> {
  const failed = (symbol: RegistryFault['symbol'], message: string, retryAfter: number | null = null): WhoisAnswer => {
    return { answer: { kind: 'failed', fault: { symbol, message } }, retryAfter }
  }
  const reply = await askWhois(server, domain, dialler)
  if ('error' in reply) return failed('registry_silent', reply.error)
  const read = readWhois(reply.text, domain)
  switch (read.kind) {
    case 'found':
      return { answer: { ...read, etag: null }, retryAfter: null }
    case 'missing':
      return { answer: { kind: 'missing' }, retryAfter: null }
    case 'refused':
      return failed('registry_refused', `${server} wants no more questions now`, refusalPause)
    case 'unclear':
      return failed('registry_answer_invalid', `the answer of ${server} does not describe ${domain}`)
  }
}
