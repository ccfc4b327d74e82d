import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'

/** The processes of one core, by what they say of themselves, and what they have to say to each other. Nothing of it outlives a crash. */

export interface ProcessRow {
  readonly id: string
  /** Moves as long as the process lives. */
  readonly beats: number
  /** Of its announcement. */
  readonly revision: number
  /** It has said goodbye. */
  readonly has_left: boolean
}

export interface ShownProcess {
  readonly id: string
  readonly announcement: string
  readonly revision: number
}

/** Shows that a process is there. Others are woken by a new announcement only. */
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

/** All but one. */
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

/** A process says goodbye. Its row is removed by the others: a row that vanishes in a crash of the server is no goodbye. */
export async function sayGoodbye(executor: Executor, id: string): Promise<void> {
  await executor.execute(sql`
    with gone as (update processes set has_left = true, beats = beats + 1 where id = ${id} returning id)
    select pg_notify('processes', '') from gone`)
  await executor.execute(sql`delete from process_messages where receiver = ${id}`)
}

/** A process that died, unless it has moved since, with what was meant for it. */
export async function dropProcess(executor: Executor, id: string, beats: number): Promise<void> {
  const dropped = await executor.execute(sql`delete from processes where id = ${id} and beats = ${beats}`)
  if (dropped > 0) await executor.execute(sql`delete from process_messages where receiver = ${id}`)
}

export interface WrittenMessage {
  readonly receiver: string
  readonly content: Buffer
}

/** Leaves messages for other processes and wakes them. */
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

/** Messages that are taken at a time. */
export const mostTaken = 200

/** Takes the oldest messages for a process, in their order. */
export async function takeMessages(executor: Executor, receiver: string): Promise<Buffer[]> {
  const rows = await executor.query<{ id: number; content: Buffer }>(
    sql`delete from process_messages where id in (
        select id from process_messages where receiver = ${receiver} order by id limit ${mostTaken})
      returning id, content`,
    'take-process-messages',
  )
  return rows.toSorted((one, other) => one.id - other.id).map(({ content }) => content)
}

/** What the processes of one core have in common. */
export interface Core {
  /** Keeps apart the cores that share a broker. */
  readonly id: string
  /** Seals what its processes say to each other. */
  readonly key: Buffer
}

const keyBytes = 32

/** Made by whoever asks first; a restored backup brings its own. */
export async function readCore(executor: Executor): Promise<Core> {
  await executor.execute(sql`insert into core (id) values (gen_random_uuid()::text) on conflict do nothing`)
  await executor.execute(sql`update core set exchange_key = ${randomBytes(keyBytes)} where exchange_key is null`)
  const [core] = await executor.query<Core>(sql`select id, exchange_key as key from core`)
  if (core === undefined) throw new Error('The database has no core.')
  return core
}
