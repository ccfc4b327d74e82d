import { performance } from 'node:perf_hooks'
import { type Announcement, encodeAnnouncement } from './announcement.ts'

/** How often each process announces itself. */
const everyMs = 1000

/** Announces this process regularly, and at once after a change. */
export class OwnAnnouncement {
  readonly #say: (text: string) => void
  readonly #now: () => Omit<Announcement, 'revision'>
  #text = ''
  #revision = 0
  #saidAt = Number.NEGATIVE_INFINITY

  constructor(now: () => Omit<Announcement, 'revision'>, say: (text: string) => void) {
    this.#now = now
    this.#say = say
  }

  announce(): void {
    this.#saidAt = performance.now()
    const text = this.#textNow()
    if (text !== this.#text) this.#revision += 1
    this.#text = text
    this.#say(text)
  }

  announceIfDue(): void {
    if (performance.now() - this.#saidAt >= everyMs || this.#textNow() !== this.#text) this.announce()
  }

  #textNow(): string {
    const said = this.#now()
    const same = encodeAnnouncement({ ...said, revision: this.#revision })
    return same === this.#text ? same : encodeAnnouncement({ ...said, revision: this.#revision + 1 })
  }
}
