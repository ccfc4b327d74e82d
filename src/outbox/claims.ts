/** Milliseconds; longer than any channel's delivery can take, so that a living notifier never loses its claim. */
export const leaseDuration = 120_000

/** The outcome of an attempt, as the row of its message keeps it. */
export interface DeliveryRecord {
  readonly status: 'pending' | 'sent' | 'failed'
  readonly subject: string | null
  readonly errorMessage: string | null
  /** For pending. */
  readonly nextAttemptAt: number | null
}

export interface ClaimRequest {
  readonly now: number
  /** The session that holds what is claimed (database/holders.ts); null: only leases do. */
  readonly heldBy: string | null
  readonly limit: number
  /** Messages to leave out. Default: none. */
  readonly avoiding?: Avoiding
}

/** Messages to these destinations, and those of these accounts, wait. */
export interface Avoiding {
  readonly destinations: readonly string[]
  readonly accountIds: readonly number[]
}
