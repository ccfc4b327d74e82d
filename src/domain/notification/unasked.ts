import { dayLength } from '../calendars/durations.ts'

/**
 * Messages to a destination that has not yet shown that it wants them: links and codes for registrations, invitations,
 * new addresses and subscriptions. Each way has limits of its own; this one is for all ways and all accounts together,
 * so that nobody fills a stranger's mailbox. Confirmed addresses and the mailboxes of account holders are free of it.
 */
export const unaskedLimit = { most: 20, windowMs: dayLength } as const
