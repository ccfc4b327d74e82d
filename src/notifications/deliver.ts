import { setTimeout as pause } from 'node:timers/promises'
import { type Database, isDatabaseAway } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import type { NoticeFacts, TestFacts } from '../domain/notice.ts'
import { timeZoneName } from '../domain/time-zones.ts'
import { languageOf } from '../wording/language.ts'
import type { Channel, Message, Outcome } from './channel.ts'
import { type ClaimedIntent, markHandedOver, type Result, recordResult } from './intents.ts'
import { type Diagnose, wordNotice } from './message.ts'
import { nextAttempt } from './retry.ts'
import { wordTest } from './test-message.ts'

export interface NotifierLog {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

export interface DeliveryContext {
  readonly database: Database
  readonly clock: Clock
  readonly log: NotifierLog
  readonly publicUrl: string
  readonly diagnose: Diagnose
}

/** Takes one claimed intent to its end or to its next attempt. Rejects only when the result cannot be put on record. */
export async function deliverIntent(context: DeliveryContext, channel: Channel, intent: ClaimedIntent): Promise<void> {
  const attempted = await attempt(context, channel, intent)
  const result = resultOf(attempted, intent, context.clock.now())
  const isRecorded = await persistently(() => recordResult(context.database, intent, result, context.clock.now()))
  tell(context.log, intent, result, isRecorded)
}

interface Attempted {
  readonly subject: string | null
  readonly outcome: Outcome
}

async function attempt(context: DeliveryContext, channel: Channel, intent: ClaimedIntent): Promise<Attempted> {
  if (intent.handed_over_at !== null) {
    const error = 'The program stopped after handing the message over: the answer was not seen'
    return { subject: null, outcome: { status: 'unconfirmed', error } }
  }
  let subject: string | null = null
  try {
    const message = messageOf(context, intent)
    if (message === null) return { subject, outcome: refused('The account no longer exists') }
    subject = message.subject
    const outcome = await channel.deliver(message, { handOver: () => handOver(context, intent) })
    return { subject, outcome }
  } catch (error) {
    context.log.error({ err: error, ...identityOf(intent) }, 'a notification could not be prepared')
    const text = error instanceof Error ? error.message : String(error)
    return { subject, outcome: { status: 'failed', permanent: false, error: text } }
  }
}

function refused(error: string): Outcome {
  return { status: 'failed', permanent: true, error }
}

async function handOver({ database, clock }: DeliveryContext, intent: ClaimedIntent): Promise<void> {
  const isOurs = await markHandedOver(database, intent, clock.now())
  if (!isOurs) throw new Error('The claim on this notification has run out')
}

function messageOf({ publicUrl, diagnose }: DeliveryContext, intent: ClaimedIntent): Message | null {
  const { facts, language_id: language, time_zone_id: zone } = intent
  if (language === null || zone === null) return null
  const reader = { language: languageOf(language), zone: timeZoneName(zone) ?? 'UTC', publicUrl, diagnose }
  const wording =
    facts.condition === 'test' ? wordTest(facts, reader) : wordNotice(facts, intent.notification_channel_id, reader)
  return {
    ...wording,
    key: `notice-${intent.service_id}-${intent.event_id}-${intent.address_id}`,
    threadKey: `thread-${intent.service_id}-${beginningOf(facts)}-${intent.address_id}`,
    channelId: intent.notification_channel_id,
    address: intent.address,
    serviceId: intent.service_id,
    condition: facts.condition,
    decidedAt: facts.decidedAt,
  }
}

/** The same for the notices of one failure and of its end. */
function beginningOf(facts: NoticeFacts | TestFacts): number {
  if (facts.condition === 'test') return facts.decidedAt
  const { condition, previous, sinceAt } = facts
  return condition === 'recovery' && previous?.status === 'failure' ? previous.startedAt : sinceAt
}

function resultOf({ subject, outcome }: Attempted, intent: ClaimedIntent, now: number): Result {
  switch (outcome.status) {
    case 'sent':
      return { status: 'sent', subject, errorMessage: null, nextAttemptAt: null }
    case 'unconfirmed':
      return { status: 'sent', subject, errorMessage: outcome.error, nextAttemptAt: null }
    case 'failed': {
      const trial = { attempts: intent.attempts, createdAt: intent.created_at, now, chance: Math.random() }
      const nextAttemptAt = outcome.permanent ? null : nextAttempt(trial)
      const status = nextAttemptAt === null ? 'failed' : 'pending'
      return { status, subject, errorMessage: outcome.error, nextAttemptAt }
    }
  }
}

/** A result that is lost costs a repetition or a false "unconfirmed", so it outlives a short absence of the database. */
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

function identityOf(intent: ClaimedIntent) {
  const { service_id, event_id, address_id, notification_channel_id, attempts } = intent
  return { service_id, event_id, address_id, notification_channel_id, attempts }
}

function tell(log: NotifierLog, intent: ClaimedIntent, result: Result, isRecorded: boolean): void {
  const facts = { ...identityOf(intent), reason: result.errorMessage ?? undefined }
  if (!isRecorded) log.warn(facts, 'a claim on a notification ran out before its delivery ended')
  else if (result.status === 'failed') log.error(facts, 'a notification cannot be delivered')
  else if (result.status === 'pending') log.warn(facts, 'a notification was not delivered, it will be tried again')
  else if (result.errorMessage !== null) log.warn(facts, 'a notification was handed over, its arrival is unconfirmed')
  else log.info(facts, 'a notification was sent')
}
