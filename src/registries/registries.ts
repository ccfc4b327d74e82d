import { dayLength, hourLength } from '../domain/calendars/durations.ts'
import type { Clock } from '../domain/clock.ts'
import {
  memoryAfter,
  type RegistryAnswer,
  type RegistryFault,
  type RegistryMemory,
} from '../domain/expiry/registration.ts'
import { askServer, type RegistryReply, type RegistryWays } from './ask.ts'
import { type Bootstrap, readBootstrap, serverFor } from './bootstrap.ts'
import { readRegistration } from './rdap-answer.ts'
import type { RegistryStore } from './store.ts'
import { askWhoisServer, type WhoisWay, whoisServerFor } from './whois-registries.ts'

/**
 * Asks the registries of domains (RDAP, RFC 9082; WHOIS where there is none): once a day and domain, whoever watches
 * it, and one question at a time for each server.
 */

export interface RegistryOptions {
  readonly store: RegistryStore
  readonly ways: RegistryWays
  readonly clock: Clock
  /** The list of servers (RFC 9224). */
  readonly bootstrapUrl: string
  /** For top-level domains that the list does not have; null: those are not asked for. */
  readonly whois: WhoisWay | null
}

/** Bytes. */
const longest = { list: 4 * 1024 * 1024, domain: 512 * 1024 }
/** Milliseconds in the line of a server; after it the domain has its turn in some minutes. */
const longestWait = 20_000
const nextTurn = hourLength / 12
/** No answer keeps a server unasked for longer: it speaks for all domains at once. */
const longestPause = dayLength
const listAge = { shortest: dayLength, longest: 7 * dayLength, afterFault: hourLength }

interface Answered {
  readonly answer: RegistryAnswer
  readonly maxAge: number | null
  readonly retryAfter: number | null
}

function failed(symbol: RegistryFault['symbol'], message: string, retryAfter: number | null = null): Answered {
  return { answer: { kind: 'failed', fault: { symbol, message } }, maxAge: null, retryAfter }
}

export class Registries {
  readonly #options: RegistryOptions
  /** Questions under way, by domain: callers share them. */
  readonly #asking = new Map<string, Promise<RegistryMemory>>()
  /** The end of each server's line. */
  readonly #lines = new Map<string, Promise<unknown>>()
  #list: Promise<Bootstrap | RegistryFault> | null = null

  constructor(options: RegistryOptions) {
    this.#options = options
  }

  /** The memory of the domain, after a question if one is due. Rejects if the store does. */
  async read(domain: string): Promise<RegistryMemory> {
    const running = this.#asking.get(domain)
    if (running !== undefined) return running
    const reading = this.#read(domain).finally(() => this.#asking.delete(domain))
    this.#asking.set(domain, reading)
    return reading
  }

  async #read(domain: string): Promise<RegistryMemory> {
    const { store, clock } = this.#options
    const { memory, isDue } = await store.claim(domain, clock.now())
    if (!isDue) return memory
    const { answer, ...times } = await this.#ask(domain, memory)
    const after = memoryAfter(memory, answer, times, clock.now())
    await store.finish(domain, after)
    return after
  }

  async #ask(domain: string, { etag }: RegistryMemory): Promise<Answered> {
    const list = await this.#readList()
    if (!('services' in list)) return failed(list.symbol, list.message)
    const server = serverFor(list, domain)
    if (server === null) return this.#askByWhois(domain)
    const { ways } = this.#options
    return this.#inTurn(server, async () => {
      const reply = await askServer({ url: `${server}domain/${domain}`, etag, longest: longest.domain }, ways)
      return answered(reply, domain)
    })
  }

  async #askByWhois(domain: string): Promise<Answered> {
    const { whois, store, clock } = this.#options
    const server = whois === null ? null : await whoisServerFor(domain, { ...whois, store, clock })
    if (whois === null || server === null) return failed('registry_unknown', `no server is known for ${domain}`)
    if (typeof server !== 'string') return failed(server.symbol, server.message)
    return this.#inTurn(`whois://${server}`, async () => {
      const answer = await askWhoisServer(server, domain, whois.dialler)
      return { ...answer, maxAge: null }
    })
  }

  /** Not before the server wants to be asked again. */
  #inTurn(server: string, ask: () => Promise<Answered>): Promise<Answered> {
    const { store, clock } = this.#options
    return this.#inLine(server, async () => {
      const known = await store.server(server)
      const pause = (known?.askAfter ?? 0) - clock.now()
      if (pause > 0) return failed('registry_refused', `${server} asked for a pause`, pause)
      const told = await ask()
      const { retryAfter } = told
      if (told.answer.kind === 'failed' && retryAfter !== null && retryAfter > 0) {
        const askAfter = clock.now() + Math.min(retryAfter, longestPause)
        await store.keepServer(server, { askAfter, etag: null, content: null })
      }
      return told
    })
  }

  /** One after another; who would wait for too long gives up its place. */
  async #inLine(server: string, ask: () => Promise<Answered>): Promise<Answered> {
    const before = this.#lines.get(server) ?? Promise.resolve()
    const since = performance.now()
    const turn = before.then(() => {
      if (performance.now() - since <= longestWait) return ask()
      return failed('registry_silent', `many domains wait for ${server}`, nextTurn)
    })
    // Its caller hears of the error; the next in line only waits for the end.
    const end = turn.catch(() => undefined)
    this.#lines.set(server, end)
    void end.then(() => {
      if (this.#lines.get(server) === end) this.#lines.delete(server)
    })
    return turn
  }

  #readList(): Promise<Bootstrap | RegistryFault> {
    this.#list ??= this.#freshList().finally(() => {
      this.#list = null
    })
    return this.#list
  }

  /** An older list is better than none. */
  async #freshList(): Promise<Bootstrap | RegistryFault> {
    const { store, ways, clock, bootstrapUrl: url } = this.#options
    const known = await store.server(url)
    const content = known?.content ?? null
    const old = content === null ? null : readBootstrap(content)
    const now = clock.now()
    if (old !== null && known !== null && known.askAfter > now) return old
    if (known !== null && known.askAfter > now) return { symbol: 'registry_silent', message: noList }
    const etag = old === null ? null : (known?.etag ?? null)
    const reply = await askServer({ url, etag, longest: longest.list }, ways)
    const fresh = reply.kind === 'content' ? readBootstrap(reply.text) : null
    if (fresh !== null && reply.kind === 'content') {
      await store.keepServer(url, { askAfter: now + ageOf(reply), etag: reply.etag, content: reply.text })
      return fresh
    }
    const isUnchanged = reply.kind === 'unchanged' && old !== null
    const afterFault = Math.min(Math.max(listAge.afterFault, reply.retryAfter ?? 0), longestPause)
    const pause = isUnchanged ? ageOf(reply) : afterFault
    await store.keepServer(url, { askAfter: now + pause, etag, content })
    return old ?? { symbol: 'registry_silent', message: noList }
  }
}

const noList = 'the list of registries cannot be read'

function ageOf({ maxAge }: RegistryReply): number {
  return Math.min(Math.max(maxAge ?? 0, listAge.shortest), listAge.longest)
}

function answered(reply: RegistryReply, domain: string): Answered {
  const { maxAge, retryAfter } = reply
  const times = { maxAge, retryAfter }
  switch (reply.kind) {
    case 'content': {
      const read = readRegistration(reply.text, domain)
      if (typeof read === 'string') return failed('registry_answer_invalid', read)
      return { ...times, answer: { kind: 'found', registration: read, etag: reply.etag } }
    }
    case 'failed':
      return { ...times, answer: reply }
    case 'unchanged':
    case 'missing':
      return { ...times, answer: { kind: reply.kind } }
  }
}
