import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway } from '../database/failures.ts'
import type { Clock } from '../domain/clock.ts'
import { errorText } from '../domain/text/error-text.ts'
import type { DeliveryRecord } from '../outbox/claims.ts'
import { type CountedOutcome, type DeliveryTelemetry, nobodyWatchesDeliveries } from '../telemetry/port.ts'
import type { FlowControl } from './flow-control.ts'
import type { NotifierLog } from './notifier-log.ts'
import type { Attempted, OutboxMessage } from './outbox-message.ts'
import { nextAttempt } from './retry.ts'

export interface DeliveryContext {
  readonly clock: Clock
  readonly log: NotifierLog
  /** Observes deliveries; nobody by default. */
  readonly telemetry?: DeliveryTelemetry
}

/** Takes one claimed message to its end or to its next attempt. Rejects only when the outcome cannot be recorded. */
export async function deliver(
  context: DeliveryContext,
  message: OutboxMessage,
  flowControl: FlowControl,
): Promise<void> {
  const { clock, log, telemetry = nobodyWatchesDeliveries } = context
  const { what: kind, channel, analysis } = message
  await telemetry.attempt({ kind, channel, analysis }, async () => {
    const { isAsked, ...attempted } = await attempt(context, message)
    await flowControl.saw(isAsked ? attempted.outcome : null, message)
    const record = recordOf(attempted, message, clock.now())
    const isRecorded = await persistently(() => message.record(record, clock.now()))
    const isUnneeded = attempted.isUnneeded === true
    tell(log, message, { ...record, isUnneeded }, isRecorded)
    return {
      outcome: isUnneeded && isRecorded ? 'unneeded' : outcomeOf(record, isRecorded),
      waitedMs: clock.now() - message.createdAt,
    }
  })
}

function outcomeOf({ status, errorMessage }: DeliveryRecord, isRecorded: boolean): CountedOutcome {
  if (!isRecorded) return 'lost'
  if (status === 'pending') return 'retried'
  return status === 'sent' && errorMessage !== null ? 'unconfirmed' : status
}

/** isAsked: the outcome is the gateway's. */
async function attempt(
  { clock, log }: DeliveryContext,
  message: OutboxMessage,
): Promise<Attempted & { isAsked: boolean }> {
  if (message.handedOverAt !== null) {
    const error = 'The program stopped after handing the message over: the answer was not seen'
    return { subject: null, outcome: { status: 'unconfirmed', error }, isAsked: false }
  }
  try {
    const attempted = await message.send({
      async handOver() {
        const isOurs = await message.markHandedOver(clock.now())
        if (!isOurs) throw new Error(`The claim on this ${nameOf(message)} has run out`)
      },
    })
    return { isAsked: true, ...attempted }
  } catch (error) {
    const facts = { err: error, ...identityOf(message) }
    const told = `a ${nameOf(message)} could not be prepared`
    // A database that is away is told by its own line, and the next attempt finds it.
    if (isDatabaseAway(error)) log.warn(facts, told)
    else log.error(facts, told)
    const text = errorText(error)
    return { subject: null, outcome: { status: 'failed', permanent: false, error: text }, isAsked: false }
  }
}

function recordOf({ subject, outcome }: Attempted, message: OutboxMessage, now: number): DeliveryRecord {
  switch (outcome.status) {
    case 'sent':
      return { status: 'sent', subject, errorMessage: null, nextAttemptAt: null }
    case 'unconfirmed':
      return { status: 'sent', subject, errorMessage: outcome.error, nextAttemptAt: null }
    case 'failed': {
      const { attempts, createdAt } = message
      const chance = Math.random()
      const failed = { attempts, createdAt, now, chance, retryAfter: outcome.retryAfter ?? 0 }
      const nextAttemptAt = outcome.permanent ? null : nextAttempt(failed)
      const status = nextAttemptAt === null ? 'failed' : 'pending'
      return { status, subject, errorMessage: outcome.error, nextAttemptAt }
    }
  }
}

/**
 * A lost record costs a repetition or a false "unconfirmed", so it is stored again and again through a short absence of
 * the database.
 */
async function persistently(record: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await record()
    } catch (error) {
      if (!isDatabaseAway(error) || tries === 60) throw error
      await pause(1000)
    }
  }
}

function nameOf({ what }: OutboxMessage): string {
  return what.replace('_', ' ')
}

function identityOf({ identity, attempts }: OutboxMessage): object {
  return { ...identity, attempts }
}

function tell(
  log: NotifierLog,
  message: OutboxMessage,
  record: DeliveryRecord & { readonly isUnneeded: boolean },
  isRecorded: boolean,
): void {
  const facts = { ...identityOf(message), reason: record.errorMessage ?? undefined }
  const what = `a ${nameOf(message)}`
  if (!isRecorded) log.warn(facts, `a claim on ${what} ran out before its delivery ended`)
  else if (record.isUnneeded) log.info(facts, `${what} is not needed any more`)
  else if (record.status === 'failed') log.error(facts, `${what} cannot be delivered`)
  else if (record.status === 'pending') log.warn(facts, `${what} was not delivered, it will be tried again`)
  else if (record.errorMessage !== null) log.warn(facts, `${what} was handed over, its arrival is unconfirmed`)
  else log.info(facts, `${what} was sent`)
}
