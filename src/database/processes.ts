import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'

/** The processes of one core, by their own announcements, and the messages between them. A crash may lose all of it. */

export interface ProcessRow {
  readonly id: string
  /** Changes as long as the process lives. */
  readonly beats: number
  /** The revision of its announcement. */
  readonly revision: number
  /** The process has announced its end. */
  readonly has_left: boolean
}

export interface ShownProcess {
  readonly id: string
  readonly announcement: string
  readonly revision: number
}

/** Records that a process is running. Only a new announcement wakes the others. */
export async function beat(executor: Executor, { id, announcement, revision }: ShownProcess): Promise<void> {
  const shown = await executor.execute(
    sql`update processes set beats = beats + 1 where id = ${id} and revision = ${revision}`,
    'process-beat',
  )
  if (shown > 0) return
  await executor.execute(sql`
    with shown as (
      insert into processes (id, announcement, revision, beats) values (${id}, ${announcement}, ${revision}, 1)
      on conflict (id) do update set announcement = excluded.announcement, revision = excluded.revision, beats = processes.beats + 1,
        has_left = false
      returning id)
    select pg_notify('processes', '') from shown`)
}

/** All processes but this one. */
export function readProcesses(executor: Executor, id: string): Promise<ProcessRow[]> {
  return executor.query<ProcessRow>(
    sql`select id, beats, revision, has_left from processes where id <> ${id}`,
    'read-processes',
  )
}

export async function readAnnouncements(
  executor: Executor,
  ids: readonly string[],
): Promise<Pick<ShownProcess, 'id' | 'announcement'>[]> {
  if (ids.length === 0) return []
  return executor.query(sql`select id, announcement from processes where id = any(${ids}::text[])`)
}

/**
 * Announces a process's end. The others remove its row, because a row that vanishes in a server crash announces
 * nothing.
 */
export async function sayGoodbye(executor: Executor, id: string): Promise<void> {
  await executor.execute(sql`
    with gone as (update processes set has_left = true, beats = beats + 1 where id = ${id} returning id)
    select pg_notify('processes', '') from gone`)
  await executor.execute(sql`delete from process_messages where receiver = ${id}`)
}

/** Removes a dead process with its waiting messages, unless its row has changed since. */
export async function dropProcess(executor: Executor, id: string, beats: number): Promise<void> {
  const dropped = await executor.execute(sql`delete from processes where id = ${id} and beats = ${beats}`)
  if (dropped > 0) await executor.execute(sql`delete from process_messages where receiver = ${id}`)
}

export interface WrittenMessage {
  readonly receiver: string
  readonly content: Buffer
}

/** Stores messages for other processes and wakes them. */
export async function putMessages(executor: Executor, messages: readonly WrittenMessage[]): Promise<void> {
  await executor.execute(
    sql`with written as (
        insert into process_messages (receiver, content)
        select * from unnest(${messages.map(({ receiver }) => receiver)}::text[], ${messages.map(({ content }) => content)}::bytea[])
        returning receiver)
      select pg_notify('processes', receiver) from (select distinct receiver from written) as to_wake`,
    'put-process-messages',
  )
}

/** The most messages taken at once. */
export const mostTaken = 200

/** Takes the oldest messages for a process, in order. */
export async function takeMessages(executor: Executor, receiver: string): Promise<Buffer[]> {
  const rows = await executor.query<{ id: number; content: Buffer }>(
    sql`delete from process_messages where id in (
        select id from process_messages where receiver = ${receiver} order by id limit ${mostTaken})
      returning id, content`,
    'take-process-messages',
  )
  return rows.toSorted((one, other) => one.id - other.id).map(({ content }) => content)
}

/** The values that all processes of one core share. */
export interface Core {
  /** Separates the cores that share a broker. */
  readonly id: string
  /** Encrypts the messages between its processes. */
  readonly key: Buffer
}

const keyBytes = 32

/** The first process makes them; a restored backup brings its own. */
export async function readCore(executor: Executor): Promise<Core> {
  await executor.execute(sql`insert into core (id) values (gen_random_uuid()::text) on conflict do nothing`)
  await executor.execute(sql`update core set exchange_key = ${randomBytes(keyBytes)} where exchange_key is null`)
  const [core] = await executor.query<Core>(sql`select id, exchange_key as key from core`)
  if (core === undefined) throw new Error('The database has no core.')
  return core
}
