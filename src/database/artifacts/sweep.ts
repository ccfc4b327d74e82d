import sql from 'sql-template-tag'
import { dayLength } from '../../domain/calendars/durations.ts'
import type { Executor } from '../connect.ts'
import { type ArtifactStore, dayOf } from './store.ts'

/** Milliseconds after which no write is still running. */
const draftLife = dayLength

export interface ArtifactSweep {
  /** Artifacts of earlier analyses are removed; the start of a UTC day. */
  readonly beforeAt: number
  readonly nowAt: number
}

/** The ids whose service is deleted. Ids are never reused. */
async function goneAmong(executor: Executor, serviceIds: readonly number[]): Promise<readonly number[]> {
  const rows = await executor.query<{ id: number }>(sql`select id from services where id = any(${serviceIds}::int[])`)
  const present = new Set(rows.map(({ id }) => id))
  return serviceIds.filter((id) => !present.has(id))
}

/**
 * Removes the artifacts of deleted days and services, and leftovers of interrupted writes. It starts from the store's
 * content, so nothing without a row stays for ever. Returns how many artifacts were removed. Any number of processes
 * may call it at once, each with its own store or all with the same.
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
