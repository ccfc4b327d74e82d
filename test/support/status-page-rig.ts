import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from './furnished.ts'
import { errorsOf, idOf } from './replies.ts'

/** The symbols of an answer's problems. */
export const refusalsOf = ({ body }: { readonly body: unknown }) => errorsOf(body).map(([error]) => error)

/** A world with a new page of Alice for each test of the file, and its visitors. */
export class StatusPageRig {
  #world: FurnishedWorld | undefined
  slug = ''
  id = 0
  /** Counts the tests of the file. */
  number = 0

  constructor() {
    beforeAll(async () => {
      this.#world = await furnishedWorld()
      // They cover whatever service a page shows.
      await this.#world.database.execute(sql`delete from wide_suspensions`)
      await this.#world.database.execute(sql`delete from wide_weekly_suspensions`)
    })
    afterAll(() => this.world.drop())
    beforeEach(async () => {
      this.number += 1
      this.slug = `shop-${this.number}`
      this.id = await this.page({})
    })
  }

  get world(): FurnishedWorld {
    if (this.#world === undefined) throw new Error('There is no world before the tests.')
    return this.#world
  }

  /** Makes another page, with the present slug. */
  async page(more: object): Promise<number> {
    const words = { title: 'Sklep <b>', language_id: 'en', time_zone_id: 'europe_warsaw' }
    return idOf(await this.world.call('alice', 'POST', '/status_pages', { slug: this.slug, ...words, ...more }))
  }

  readonly component = (more: object) => this.#part('/status_page_components', { name: 'Shop', ...more })

  readonly incident = (more: object = {}) => this.#part('/status_page_incidents', { name: 'Slow & sad', ...more })

  async #part(path: string, more: object): Promise<number> {
    return idOf(await this.world.call('alice', 'POST', path, { status_page_id: this.id, ...more }))
  }

  /** As a visitor, who looks half a minute later. */
  readonly visit = async (path = '', headers: Record<string, string> = {}) => {
    this.world.clock.advance(31_000)
    const reply = await this.world.server.inject({ method: 'GET', url: `/status/${this.slug}${path}`, headers })
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.payload,
      json: () => JSON.parse(reply.payload),
    }
  }
}
