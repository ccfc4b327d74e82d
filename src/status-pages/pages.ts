import type { Database } from '../database/connect.ts'
import { isDatabaseAway, isGivenUp } from '../database/failures.ts'
import { prunePageFailures } from '../database/status-pages/prune-page-failures.ts'
import {
  type PageRow,
  readAllSlugs,
  readHostedPages,
  readPage,
  readPageVersions,
  readStateMarks,
} from '../database/status-pages/status-page-rows.ts'
import type { Clock } from '../domain/clock.ts'
import { hostGrant, type PageHosts } from '../domain/status-pages/page-host.ts'
import { slugPattern } from '../domain/status-pages/status-page.ts'
import { ChannelListener } from '../presence/channel-listener.ts'
import { systemTimers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import { AtOnce } from './at-once.ts'
import { type Documents, documentsOf } from './documents.ts'
import { followFailures } from './failure-incidents.ts'
import { followPlannedStops } from './follow-stops.ts'
import { makeSnapshot } from './make-snapshot.ts'
import { hasOwnHost, withOwnHost } from './own-host.ts'

/** A look at the versions of the pages in use and at the states of their services. */
const lookEveryMs = 3000
/** While nobody asked for a page: just as often as failures are searched for. */
const restEveryMs = 15_000
/** Between two searches for failures that open incidents, and for planned stops to tell. */
const searchEveryMs = 15_000
/** Between two prunings of what failures left behind. */
const pruneEveryMs = 3_600_000
/** Drafts of failures that nobody publishes are kept for so long after their end: 30 days. */
const prunedAfterMs = 30 * 86_400_000
/** A page is made anew at this age even if nothing seems to have changed: corrections and days have no version. */
const freshMs = 30_000
/** A page that nobody asks for this long is not looked at until somebody asks. */
const inUseMs = 600_000
/** How long a visitor waits for a page that is being made, before they get the last one. */
const patienceMs = 2000
/** Memory of all pages, about; those that nobody asked for longest go first. */
const mostBytes = 96 * 2 ** 20
/** Pages that are made at once. */
const mostMadeAtOnce = 4
/** Unknown names that are looked for one by one between two looks, in all and for one network; then all are read. */
const mostLookups = { inAll: 600, ofNetwork: 60 }

export interface StatusPagesOptions {
  readonly database: Database
  readonly clock: Clock
  /** Where the pages are: `https://latarnik.example.com`. */
  readonly publicUrl: string
  readonly hosts: PageHosts
  readonly onFault: (error: unknown) => void
  /** Memory of all pages. Default: 96 MiB. */
  readonly mostBytes?: number
}

interface Kept {
  documents: Documents
  askedAt: number
  /** The page may have changed since. */
  checkedAt: number
}

/** Keeps the pages in memory. They are served from there while the database is away. */
export class StatusPages {
  readonly #options: StatusPagesOptions
  readonly #turns = new Turns({ timers: systemTimers, take: () => this.#look() })
  readonly #listener: ChannelListener
  readonly #pages = new Map<string, Kept>()
  readonly #unknown = new Set<string>()
  readonly #making = new Map<string, Promise<Documents | null>>()
  readonly #atOnce = new AtOnce(mostMadeAtOnce)
  /** Pages that changed while they were being made. */
  readonly #changedMeanwhile = new Set<string>()
  #hosts: ReadonlyMap<string, string> = new Map()
  /** By network. */
  readonly #lookups = new Map<string, number>()
  #lookupsInAll = 0
  /** All that there were when many unknown ones were asked for; null: they were not read since the last look. */
  #slugs: Promise<Set<string>> | null = null
  /** Nobody asked for a page since the last look. */
  #isResting = false
  /** By the clock that never steps. */
  #searchAt = Number.NEGATIVE_INFINITY
  #pruneAt = Number.NEGATIVE_INFINITY
  #isAway = false
  /** How often the database has gone away. */
  #outages = 0

  constructor(options: StatusPagesOptions) {
    this.#options = options
    this.#listener = new ChannelListener(options.database, 'status_pages', (slug) => this.#changed(slug))
  }

  start(): void {
    this.#turns.start()
  }

  async stop(): Promise<void> {
    await this.#turns.stop()
    await this.#listener.close()
  }

  /** True while the database does not answer: pages may be old. */
  get isStale(): boolean {
    return this.#isAway
  }

  /** The slug of the page that has this host name. */
  slugOfHost(host: string): string | undefined {
    return this.#hosts.get(host)
  }

  /** True for names below the operator's own domain that are for status pages. */
  isForPagesAlone(host: string): boolean {
    return hostGrant(host, this.#options.hosts) === 'free'
  }

  /**
   * At once if the page is in memory and was looked at; null: there is no such page. It rejects if the page cannot be
   * read now. A page that is there is found, however many unknown names others ask for.
   */
  find(slug: string, network: string): Documents | null | Promise<Documents | null> {
    if (!slugPattern.test(slug)) return null
    const kept = this.#pages.get(slug)
    const now = this.#options.clock.now()
    if (kept !== undefined) {
      kept.askedAt = now
      // A clock that was set back makes nothing fresh.
      if (Math.abs(now - kept.checkedAt) < freshMs) return kept.documents
      return this.#within(this.#make(slug), kept.documents)
    }
    if (this.#unknown.has(slug)) return null
    return this.#lookUp(slug, network)
  }

  async #lookUp(slug: string, network: string): Promise<Documents | null> {
    this.#rouse()
    if (!this.#count(network, 1) && !(await this.#isKnown(slug))) return null
    const documents = await this.#make(slug)
    // Only unknown names count.
    if (documents !== null) this.#count(network, -1)
    return documents
  }

  /** True while names are looked for one by one. */
  #count(network: string, change: 1 | -1): boolean {
    const count = Math.max(0, (this.#lookups.get(network) ?? 0) + change)
    this.#lookups.set(network, count)
    this.#lookupsInAll = Math.max(0, this.#lookupsInAll + change)
    return count <= mostLookups.ofNetwork && this.#lookupsInAll <= mostLookups.inAll
  }

  /** One question for all names that are asked for until the next look. */
  async #isKnown(slug: string): Promise<boolean> {
    this.#slugs ??= readAllSlugs(this.#options.database).then((slugs) => new Set(slugs))
    const reading = this.#slugs
    try {
      return (await reading).has(slug)
    } catch (error) {
      if (this.#slugs === reading) this.#slugs = null
      this.#failed(error)
      throw error
    }
  }

  /** The new page, or the old one if that takes too long or fails. */
  async #within(making: Promise<Documents | null>, old: Documents): Promise<Documents | null> {
    const { promise: patience, cancel } = this.#patience()
    try {
      return await Promise.race([making, patience.then(() => old)])
    } catch {
      // It was told where it failed; the visitor gets the last page.
      return old
    } finally {
      cancel()
    }
  }

  #patience() {
    let cancel = () => {}
    const promise = new Promise<void>((resolve) => {
      cancel = systemTimers.after(this.#isAway ? 0 : patienceMs, resolve)
    })
    return { promise, cancel }
  }

  /** Somebody wrote to the page, in this process or another: who looks now sees it. */
  #changed(slug: string): void {
    this.#rouse()
    this.#unknown.delete(slug)
    // It may be new.
    void this.#slugs?.then((slugs) => slugs.add(slug)).catch(() => null)
    if (this.#making.has(slug)) this.#changedMeanwhile.add(slug)
    // The fault was told where it happened; the next look tries again.
    else if (this.#pages.has(slug)) void this.#make(slug).catch(() => null)
  }

  /** Once for all who ask meanwhile. */
  #make(slug: string): Promise<Documents | null> {
    const running = this.#making.get(slug)
    if (running !== undefined) return running
    const making = this.#atOnce
      .run(() => this.#makeNow(slug))
      .finally(() => {
        this.#making.delete(slug)
        if (this.#changedMeanwhile.delete(slug)) this.#changed(slug)
      })
    this.#making.set(slug, making)
    return making
  }

  async #makeNow(slug: string): Promise<Documents | null> {
    const { database, clock, publicUrl } = this.#options
    const now = clock.now()
    try {
      const page = await this.#read(slug)
      this.#isAway = false
      if (page === undefined) {
        this.#pages.delete(slug)
        this.#unknown.add(slug)
        return null
      }
      const snapshot = await makeSnapshot(database, page, now)
      const kept = this.#pages.get(slug)
      const documents = documentsOf(snapshot, publicUrl, kept?.documents)
      this.#pages.delete(slug)
      this.#pages.set(slug, { documents, askedAt: kept?.askedAt ?? now, checkedAt: now })
      this.#rouse()
      this.#forgetOldest()
      return documents
    } catch (error) {
      this.#failed(error)
      throw error
    }
  }

  async #read(slug: string): Promise<PageRow | undefined> {
    const { database, hosts } = this.#options
    const page = await readPage(database, slug)
    return page === undefined ? undefined : withOwnHost(page, hosts)
  }

  /** Documents grow after a page was made, so it is also called in each look. */
  #forgetOldest(): void {
    const { mostBytes: most = mostBytes } = this.#options
    const sizes = [...this.#pages].map(([slug, { documents, askedAt }]) => ({ slug, askedAt, bytes: documents.bytes }))
    let bytes = sizes.reduce((sum, one) => sum + one.bytes, 0)
    for (const one of sizes.toSorted((first, other) => first.askedAt - other.askedAt).slice(0, -1)) {
      if (bytes <= most) return
      this.#pages.delete(one.slug)
      bytes -= one.bytes
    }
  }

  /** The fault of one page says nothing of the others. */
  #failed(error: unknown): void {
    const isAway = isDatabaseAway(error) || isGivenUp(error)
    if (!isAway || !this.#isAway) this.#options.onFault(error)
    if (!isAway) return
    if (!this.#isAway) this.#outages += 1
    this.#isAway = true
  }

  /** Somebody asks for a page, or wrote to one. */
  #rouse(): void {
    if (!this.#isResting) return
    this.#isResting = false
    this.#turns.wake()
  }

  async #followServices(now: number): Promise<void> {
    const { database } = this.#options
    const moment = systemTimers.monotonic()
    if (moment >= this.#pruneAt) {
      await prunePageFailures(database, now - prunedAfterMs)
      this.#pruneAt = moment + pruneEveryMs
    }
    if (moment < this.#searchAt) return
    await followFailures(database, now)
    await followPlannedStops(database, now)
    // The looks do not keep time exactly.
    this.#searchAt = moment + searchEveryMs - lookEveryMs / 2
  }

  async #look(): Promise<number> {
    const wasAsked = this.#lookupsInAll > 0
    this.#forgetOldest()
    this.#unknown.clear()
    this.#lookups.clear()
    this.#lookupsInAll = 0
    this.#slugs = null
    this.#isResting = false
    try {
      const { database, clock, hosts } = this.#options
      await this.#listener.listen(this.#outages)
      const hosted = (await readHostedPages(database)).filter((page) => hasOwnHost(page, hosts))
      this.#hosts = new Map(hosted.flatMap(({ host, slug }) => (host === null ? [] : [[host, slug]])))
      this.#isAway = false
      const now = clock.now()
      await this.#followServices(now)
      const inUse = [...this.#pages].filter(([, { askedAt }]) => now - askedAt < inUseMs)
      this.#isResting = inUse.length === 0 && this.#hosts.size === 0 && !wasAsked
      if (inUse.length === 0) return this.#isResting ? restEveryMs : lookEveryMs
      const versions = await readPageVersions(
        database,
        inUse.map(([slug]) => slug),
      )
      for (const [slug, kept] of inUse) {
        const { snapshot } = kept.documents
        const isChanged =
          versions.get(slug) !== snapshot.page.version ||
          now - snapshot.madeAt >= freshMs / 2 ||
          (await readStateMarks(database, snapshot.serviceIds)) !== snapshot.marks
        // The fault of one page was told where it happened, and keeps no other page old.
        if (isChanged) await this.#make(slug).catch(() => null)
      }
    } catch (error) {
      this.#failed(error)
    }
    return lookEveryMs
  }
}
