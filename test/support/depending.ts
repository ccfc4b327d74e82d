import sql from 'sql-template-tag'
import { changesOf, intentsOf, type MonitoringWorld, type ServiceOptions } from './monitoring.ts'

/** Services that depend on others, and what is told of them. */
export function depending(world: MonitoringWorld) {
  /** When each service is broken itself, in Unix milliseconds. */
  const outages = new Map<number, readonly { readonly from: number; readonly to: number }[]>()
  const parents = new Map<number, readonly number[]>()

  const isBroken = (id: number): boolean =>
    (outages.get(id) ?? []).some(({ from, to }) => world.clock.now() >= from && world.clock.now() < to)

  /** Nobody reaches a service behind a broken one. */
  const isUnreachable = (id: number): boolean => isBroken(id) || (parents.get(id) ?? []).some(isUnreachable)

  return {
    async add(parentIds: readonly number[] = [], options: ServiceOptions = {}): Promise<number> {
      const id = await world.addService(options)
      parents.set(id, parentIds)
      await world.database.execute(sql`update services set parent_ids = ${[...parentIds]}::int[] where id = ${id}`)
      return id
    },
    /** Breaks it from now on, or for so many seconds. */
    break(id: number, seconds = Number.POSITIVE_INFINITY): void {
      const from = world.clock.now()
      outages.set(id, [...(outages.get(id) ?? []), { from, to: from + seconds * 1000 }])
    },
    breakBetween(id: number, from: number, to: number): void {
      outages.set(id, [...(outages.get(id) ?? []), { from, to }])
    },
    mend(id: number): void {
      const now = world.clock.now()
      outages.set(
        id,
        (outages.get(id) ?? []).map(({ from, to }) => ({ from, to: Math.min(to, now) })),
      )
    },
    /** Makes the stations see it so. */
    begin(): void {
      outages.clear()
      parents.clear()
      world.stations.answer = ({ serviceId }) => (isUnreachable(serviceId) ? 'error' : 'ok')
    },
    told: async (id: number): Promise<string[]> =>
      (await intentsOf(world.database, id)).map((row) => row.notification_condition_id),
    /** The state changes, as shown. */
    changes: (id: number) => changesOf(world.database, id),
    async heldBy(id: number): Promise<number | null | undefined> {
      const [row] = await world.database.query<{ held_by_service_id: number | null }>(sql`
        select held_by_service_id from service_statuses where service_id = ${id}`)
      return row?.held_by_service_id
    },
  }
}
