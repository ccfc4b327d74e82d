import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { isDatabaseAway } from './failures.ts'
import { askServer, readOnlyError, reasonOf, roleOf, type ServerAnswer } from './server-role.ts'
import { type Server, type Servers, serversOf } from './servers.ts'

/** Milliseconds that others get once one accepts writes: an old primary that came back may be the faster one. */
const grace = 500

/**
 * Chooses among the servers of an address the one that accepts writes, and stays with it until it fails. Of several,
 * the one promoted last is right: the others are primaries of the past that came back.
 */
export class ServerChoice {
  readonly #servers: Servers
  #current: Server | undefined
  /** A server with an older timeline is a primary of the past, even while the right one is away. */
  #newest = 0
  #asking: Promise<Server> | undefined
  #moved: (server: Server) => void = () => undefined

  constructor(servers: Servers) {
    this.#servers = servers
    if (servers.all.length === 1) this.#current = servers.all[0]
  }

  get servers(): Servers['all'] {
    return this.#servers.all
  }

  /** True if a connection must be tested before it is used. */
  get mustWrite(): boolean {
    return this.#servers.mustWrite
  }

  /** `listener` gets each server that is chosen among several, except the first. */
  onMove(listener: (server: Server) => void): void {
    this.#moved = listener
  }

  async choose(): Promise<Server> {
    if (this.#current !== undefined) return this.#current
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  /** After a failure: the next connection may have to go elsewhere. */
  forget(): void {
    if (this.#servers.all.length > 1) this.#current = undefined
  }

  /** Rejects if the server of a new connection accepts no writes. */
  async test(client: pg.ClientBase): Promise<void> {
    const { fault } = await roleOf(client, this.#serverOf(client))
    if (fault === null) return
    this.forget()
    throw fault
  }

  /** The address of a connection's server alone. */
  urlOf(client: pg.ClientBase): string {
    return this.#serverOf(client).url
  }

  #serverOf(client: pg.ClientBase): Server {
    const { all } = this.#servers
    const { host, port } = client as pg.Client
    return all.find(({ place }) => place?.host === host && place.port === port) ?? all[0]
  }

  async #askAll(): Promise<Server> {
    const answers: ServerAnswer[] = []
    const stop = new AbortController()
    const enough = new Promise<void>((resolve) => {
      const soon = () => delay(grace, undefined, { signal: stop.signal }).then(resolve, () => undefined)
      const all = this.#servers.all.map(async (server) => {
        const answer = await askServer(server)
        answers.push(answer)
        if (answer.fault === null) void soon()
      })
      void Promise.all(all).then(() => resolve())
    })
    await enough
    stop.abort()
    return this.#take(answers)
  }

  #take(answers: readonly ServerAnswer[]): Server {
    const order = this.#servers.all
    const [best] = answers
      .flatMap(({ server, role, fault }) => (fault === null && role !== null ? [{ server, ...role }] : []))
      .filter(({ timeline }) => timeline >= this.#newest)
      .toSorted((a, b) => b.timeline - a.timeline || order.indexOf(a.server) - order.indexOf(b.server))
    if (best === undefined) throw this.#nobody(answers)
    const isMove = this.#newest > 0 && best.timeline > this.#newest
    this.#newest = best.timeline
    this.#current = best.server
    if (isMove) this.#moved(best.server)
    return best.server
  }

  #nobody(answers: readonly ServerAnswer[]): Error {
    // A wrong password stays wrong: a person has to act.
    const lasting = answers.find(({ fault }) => fault !== null && !isDatabaseAway(fault))?.fault
    return lasting ?? readOnlyError(`no server accepts writes: ${answers.map(reasonOf).join('; ')}`)
  }
}

const choices = new Map<string, ServerChoice>()

/** The choice of this process for an address: all its pools go to one server. Throws `WrongServers`. */
export function choiceFor(url: string): ServerChoice {
  const choice = choices.get(url) ?? new ServerChoice(serversOf(url))
  choices.set(url, choice)
  return choice
}

/** A pool's connections: each asks where to go at the moment when it connects. */
export function clientFor(choice: ServerChoice): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error?: Error) => void): void
    override connect(callback?: (error?: Error) => void): Promise<pg.Client> | undefined {
      if (callback === undefined) return this.#reach().then(() => this)
      this.#reach().then(() => callback(), callback)
    }

    async #reach(): Promise<void> {
      const { place } = await choice.choose()
      if (place !== undefined) Object.assign(this, place)
      try {
        await super.connect()
      } catch (error) {
        choice.forget()
        throw error
      }
    }
  }
}
