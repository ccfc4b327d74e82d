import sql from 'sql-template-tag'
import { dayLength } from '../../domain/durations.ts'
import type { Executor } from '../connect.ts'
import { type ArtifactStore, dayOf } from './store.ts'

/** Milliseconds after which no writer is still at work. */
const draftLife = dayLength

export interface ArtifactSweep {
  /** Artifacts of analyses decided earlier go; the start of a UTC day. */
  readonly beforeAt: number
  readonly nowAt: number
}

/** Those of the services that are there no more. Ids are never given again. */
async function goneAmong(executor: Executor, serviceIds: readonly number[]): Promise<readonly number[]> {
  const rows = await executor.query<{ id: number }>(sql`select id from services where id = any(${serviceIds}::int[])`)
  const present = new Set(rows.map(({ id }) => id))
  return serviceIds.filter((id) => !present.has(id))
}

/**
 * Removes the artifacts of days that are forgotten and of services that were removed, and what interrupted writing left behind. Goes by what
 * lies in the store, so that nothing stays for ever that no row names. Returns how many artifacts went. Any number of processes may do it
 * at once, each with its own store or all with the same.
 */
export async function sweepArtifacts(store: ArtifactStore, executor: Executor, sweep: ArtifactSweep): Promise<number> {
  let removed = await store.removeLeftovers(sweep.nowAt - draftLife)
  const firstDay = dayOf(sweep.beforeAt)
  for (const day of await store.days()) {
    const serviceIds = await store.servicesOn(day)
    const doomed = day < firstDay ? serviceIds : await goneAmong(executor, serviceIds)
    for (const serviceId of doomed) removed += await store.remove(day, serviceId)
  }
  return removed
}
