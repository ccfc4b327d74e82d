import { randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import type { StreamEventKind } from '../../domain/stream-event.ts'
import type { Executor } from '../connect.ts'

export interface NewStreamEvent {
  readonly kind: StreamEventKind
  readonly serviceId?: number
  readonly subjectId?: number
}

/** Publishes events to listeners once their transaction commits. */
export async function tell(transaction: Executor, events: readonly NewStreamEvent[]): Promise<void> {
  if (events.length === 0) return
  await transaction.execute(
    sql`insert into stream_events (kind, service_id, subject_id)
      select * from unnest(${events.map(({ kind }) => kind)}::text[],
        ${events.map(({ serviceId }) => serviceId ?? null)}::int[],
        ${events.map(({ subjectId }) => subjectId ?? null)}::bigint[])`,
    'tell-events',
  )
}

/** Publishes that the displayed statuses of these services have changed. */
export function tellStatuses(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  return tell(
    transaction,
    serviceIds.map((serviceId) => ({ kind: 'service_status', serviceId, subjectId: serviceId })),
  )
}

export interface StoredEvent {
  readonly id: number
  /** The transaction that wrote it. */
  readonly transaction: number
  readonly kind: StreamEventKind
  /** For a notification: the owner of its log. */
  readonly owner_id: number | null
  readonly service_id: number | null
  readonly subject_id: number | null
}

/** The events that a reader has received: every event of earlier transactions, and those of `seen`. */
export interface HeardSoFar {
  /** Null: only future events. */
  readonly floor: number | null
  readonly seen: readonly number[]
}

export interface StoredEvents {
  /** Every transaction before this one has ended. */
  readonly floor: number
  /** A changed epoch means that a crash of the database lost events. */
  readonly epoch: number
  /** The new events, oldest first; at most `limit`. */
  readonly events: readonly StoredEvent[]
}

type Row = StoredEvent & { readonly floor: number; readonly epoch: number | null }

/** Reads the new events in one snapshot. A transaction that ends later is read later, however low its numbers are. */
export async function readStreamEvents(executor: Executor, heard: HeardSoFar, limit: number): Promise<StoredEvents> {
  const fromTransaction = heard.floor === null ? null : String(heard.floor)
  const rows = await executor.query<Row>(
    sql`select present.floor, present.epoch, event.id, event.transaction_id::text::bigint as transaction,
        event.kind, event.owner_id, event.service_id, event.subject_id
      from (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as floor,
        (select epoch from stream_epochs) as epoch) as present
      left join lateral (
        select * from stream_events
        where transaction_id >= coalesce(${fromTransaction}::text::xid8, pg_snapshot_xmin(pg_current_snapshot()))
          and id <> all(${[...heard.seen]}::bigint[])
        order by id limit ${limit}) as event on true`,
    'read-events',
  )
  const [first] = rows
  if (first === undefined) throw new Error('The database has no snapshot.')
  const epoch = first.epoch ?? (await beginEpoch(executor))
  const events = rows.flatMap(({ floor: _floor, epoch: _epoch, ...event }) => (event.id === null ? [] : [event]))
  return { floor: first.floor, epoch, events }
}

const largestEpoch = 2 ** 31 - 1

async function beginEpoch(executor: Executor): Promise<number> {
  const epoch = randomInt(1, largestEpoch)
  await executor.execute(sql`insert into stream_epochs (epoch) values (${epoch}) on conflict do nothing`)
  const [row] = await executor.query<{ epoch: number }>(sql`select epoch from stream_epochs`)
  return row?.epoch ?? epoch
}

/** Longer than a stream can be resumed. */
const keptSeconds = 360

export async function forgetStreamEvents(executor: Executor): Promise<void> {
  await executor.execute(
    sql`delete from stream_events where time < clock_timestamp() - make_interval(secs => ${keptSeconds})`,
  )
}
