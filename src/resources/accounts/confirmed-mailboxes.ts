import { unconfirmedMailboxes } from '../../channels/confirmation-codes.ts'
import type { Executor } from '../../database/connect.ts'
import type { Row } from '../../domain/queries/condition.ts'
import type { Writing } from '../../rest/declare.ts'
import { refuseAny } from '../../rest/problems.ts'

/** Where an object names mailboxes that are written to without a notification address. */
interface Mailboxes<R extends Row, F> {
  readonly named: (row: R) => readonly string[]
  /** The pointer to the mailbox at the index. */
  readonly pointer: (index: number) => string
  /** Mailboxes that were named before; they may stay. */
  readonly accepted: (before: R | null, facts: F) => readonly string[]
  readonly ownerId: (row: R, facts: F) => number
}

/** The same writing, but a mailbox that is newly named has to be a confirmed notification address of the owner. */
export function onlyConfirmed<R extends Row, F>(
  write: Writing<R, F>,
  { named, pointer, accepted, ownerId }: Mailboxes<R, F>,
): Writing<R, F> {
  async function refuseUnconfirmed(transaction: Executor, row: R, before: R | null, facts: F): Promise<void> {
    const known = new Set(accepted(before, facts))
    const fresh = named(row).filter((mailbox) => !known.has(mailbox))
    const refused = await unconfirmedMailboxes(transaction, ownerId(row, facts), fresh)
    const problems = named(row).flatMap((mailbox, index) =>
      refused.has(mailbox)
        ? [{ error: 'incorrect_value', field: pointer(index), facts: { detail: 'confirmed_mailbox' } }]
        : [],
    )
    refuseAny(problems)
  }
  return {
    ...write,
    async created(transaction, call, row, facts) {
      await refuseUnconfirmed(transaction, row, null, facts)
      await write.created?.(transaction, call, row, facts)
    },
    async changed(transaction, call, row, before, facts) {
      await refuseUnconfirmed(transaction, row, before, facts)
      await write.changed?.(transaction, call, row, before, facts)
    },
  }
}
