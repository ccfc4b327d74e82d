/** Rules about the subscribers of status pages. Durations in milliseconds. */
import { dayLength } from '../calendars/durations.ts'

export const subscriberKinds = ['email', 'webhook', 'slack', 'teams', 'discord', 'web_push'] as const
export type SubscriberKind = (typeof subscriberKinds)[number]

export function isSubscriberKind(text: string): text is SubscriberKind {
  return subscriberKinds.some((kind) => kind === text)
}

/** An address that nobody confirms is forgotten after this time, and the link to it ends. */
export const unconfirmedLife = 3 * dayLength
/** A waiting address gets no second message within this time. */
export const askAgainAfter = dayLength / 24

/** Windows of limits on requests to subscribe, and the most requests in each. */
export const askingLimits = {
  network: { most: 10, windowMs: dayLength / 144 },
  /** Addresses that an owner adds, on all pages of the account and its subordinate ones. */
  owner: { most: 200, windowMs: dayLength },
  page: { most: 600, windowMs: dayLength / 144 },
  /** Per address, on all pages. */
  address: { most: 5, windowMs: dayLength },
} as const

export interface StoredSubscriber {
  readonly isConfirmed: boolean
  readonly isDisabled: boolean
  /** When it was last sent a message to confirm. Unix milliseconds. */
  readonly askedAt: number
}

/** The effect of a request: make a row, ask the waiting one again, or send the links of a confirmed one. */
export type Reaction = 'make' | 'ask_again' | 'send_links' | 'nothing'

export function reactionTo(stored: StoredSubscriber | null, now: number): Reaction {
  if (stored === null) return 'make'
  if (Math.abs(now - stored.askedAt) < askAgainAfter) return 'nothing'
  return stored.isConfirmed && !stored.isDisabled ? 'send_links' : 'ask_again'
}

/**
 * True while the link that confirms an address works. Later requests of others do not prolong it for a confirmed one,
 * because it leads on to the links that change the choice.
 */
export function isConfirmLinkOpen(
  { askedAt, confirmedAt }: { readonly askedAt: number; readonly confirmedAt: number | null },
  now: number,
): boolean {
  return now < Math.min(askedAt, confirmedAt ?? askedAt) + unconfirmedLife
}
