import { countAsking } from '../../auth/asking-limits.ts'
import { inEvenTime, type Pause } from '../../auth/even-time.ts'
import { destinationOf } from '../../channels/index.ts'
import { type GivenAddress, subscriberAddress, withoutSecretPath } from '../../channels/subscriber-hooks.ts'
import type { VendorUrls } from '../../channels/vendors.ts'
import type { Database } from '../../database/connect.ts'
import { keptOnceRead } from '../../database/kept-once-read.ts'
import type { Clock } from '../../domain/clock.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { isConfirmLinkOpen } from '../../domain/status-pages/subscriber.ts'
import {
  type LinkPurpose,
  readSubscriberKey,
  readSubscriberToken,
  subscriberToken,
} from '../../outbox/subscriber-links.ts'
import {
  askToSubscribe,
  chooseComponents,
  confirmSubscriber,
  isPageFull,
  leave,
  readSubscriber,
  type SubscriberAddress,
  type SubscriberRow,
} from '../../outbox/subscribers.ts'
import { readWebPushKeys } from '../../outbox/web-push-keys.ts'

export interface SubscriptionsOptions {
  readonly database: Database
  readonly clock: Clock
  /** Where vendors take messages. */
  readonly vendorUrls: VendorUrls
  /** Default: as long as it says. */
  readonly pause?: Pause
}

export interface SubscriptionRequest {
  readonly pageId: number
  readonly given: GivenAddress
  readonly componentIds: readonly number[]
  /** The visitor's. */
  readonly network: string
}

/**
 * `asked` does not say whether the address was known. A webhook has a link to its state and the secret that signs its
 * requests.
 */
export type SubscribingOutcome =
  | { readonly is: 'asked'; readonly webhook: { readonly secret: string; readonly token: string } | null }
  | { readonly is: 'wrong_address' }
  | { readonly is: 'page_full' }
  | { readonly is: 'too_many'; readonly waitSeconds: number }

const mostSubscribers = { confirmed: countLimits.statusPageSubscribers, waiting: countLimits.waitingSubscribers }

/** The subscriptions of status pages, as visitors use them: without an account, by links. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions

  readonly #key: () => Promise<Buffer>

  constructor(options: SubscriptionsOptions) {
    this.#options = options
    this.#key = keptOnceRead(() => readSubscriberKey(options.database))
  }

  /** A new address takes more statements than a known one, and nobody may learn which one it is. */
  ask(request: SubscriptionRequest): Promise<SubscribingOutcome> {
    return inEvenTime(() => this.#ask(request), this.#options.pause)
  }

  async #ask({ pageId, given, componentIds, network }: SubscriptionRequest): Promise<SubscribingOutcome> {
    const { database, clock, vendorUrls } = this.#options
    const completed = subscriberAddress(given, vendorUrls)
    if ('problems' in completed) return { is: 'wrong_address' }
    const address = withoutSecretPath(completed.address)
    const destination = destinationOf(address.kind, address.sameness)
    const now = clock.now()
    const limit = await countAsking(database, { pageId, by: { network }, destination }, now)
    // The visitor is not told of this limit, because others may have asked.
    if (limit?.limit === 'address') return this.#asked(address, 0)
    if (limit !== null) return { is: 'too_many', waitSeconds: Math.max(1, Math.ceil((limit.until - now) / 1000)) }
    if (await isPageFull(database, pageId, mostSubscribers)) return { is: 'page_full' }
    const wanted = { ...address, pageId, componentIds }
    const id = await database.transaction((transaction) => askToSubscribe(transaction, wanted, now))
    return this.#asked(address, id ?? 0)
  }

  async #asked({ kind, settings }: SubscriberAddress, id: number): Promise<SubscribingOutcome> {
    if (kind !== 'webhook') return { is: 'asked', webhook: null }
    const token = subscriberToken(await this.#key(), 'manage', id)
    return { is: 'asked', webhook: { secret: String(settings['secret']), token } }
  }

  /** Null: the link was not made here, or its subscriber is gone or of another page. */
  async find(purpose: LinkPurpose, token: string, pageId: number): Promise<SubscriberRow | null> {
    const { database } = this.#options
    const id = readSubscriberToken(await this.#key(), purpose, token)
    return id === null ? null : ((await readSubscriber(database, { id, pageId })) ?? null)
  }

  /** The token for the links of a confirmed subscriber. Null: its link has ended. */
  async confirm({ id }: SubscriberRow): Promise<string | null> {
    const { database, clock } = this.#options
    const isConfirmed = await database.transaction((transaction) => confirmSubscriber(transaction, id, clock.now()))
    return isConfirmed ? subscriberToken(await this.#key(), 'manage', id) : null
  }

  choose({ id }: SubscriberRow, componentIds: readonly number[]): Promise<void> {
    return chooseComponents(this.#options.database, id, componentIds)
  }

  leave({ id }: SubscriberRow): Promise<void> {
    return leave(this.#options.database, id)
  }

  /** The key by which browsers know this installation. */
  async pushKey(): Promise<string> {
    return (await readWebPushKeys(this.#options.database)).publicKey
  }

  isConfirmLinkOpen({ asked_at: askedAt, confirmed_at: confirmedAt }: SubscriberRow): boolean {
    return isConfirmLinkOpen({ askedAt, confirmedAt }, this.#options.clock.now())
  }
}
