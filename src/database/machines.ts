import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'

/** A machine of a Citus cluster, by its address. */
export interface Machine {
  readonly host: string
  readonly port: number
}

export function nameOf({ host, port }: Machine): string {
  return `${host}:${port}`
}

interface Shard extends Machine {
  /** Hashes from and to, both inclusive. */
  readonly first: number
  readonly last: number
}

/** The machines that hold the history, as the coordinator knows them. */
export function machinesOfHistory(executor: Executor): Promise<readonly Machine[]> {
  return executor.query<Machine>(sql`
    select distinct n.nodename as host, n.nodeport as port
    from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
    where s.logicalrelid = 'analyses_hot'::regclass and n.noderole = 'primary' order by 1, 2`)
}

/** Milliseconds. Shards move seldom, and a write to their old machine is only slower. */
const shardsKept = 60_000

/** The machine of each service's history, as the coordinator knows it. */
export class MachinesOfHistory {
  readonly #monotonic: () => number
  /** A service's hash never changes. */
  readonly #hashes = new Map<number, number>()
  #shards: readonly Shard[] = []
  #readAt = Number.NEGATIVE_INFINITY

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Reads the places of shards anew with the next use. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  async #refresh(executor: Executor): Promise<void> {
    if (this.#monotonic() - this.#readAt < shardsKept) return
    this.#shards = await executor.query<Shard>(
      sql`
        select s.shardminvalue::int as first, s.shardmaxvalue::int as last, n.nodename as host, n.nodeport as port
        from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
        where s.logicalrelid = 'analyses_hot'::regclass and n.noderole = 'primary'`,
      'shards-of-history',
    )
    this.#readAt = this.#monotonic()
  }

  async #learn(executor: Executor, serviceIds: readonly number[]): Promise<void> {
    const unknown = serviceIds.filter((id) => !this.#hashes.has(id))
    if (unknown.length === 0) return
    const rows = await executor.query<{ id: number; hash: number }>(sql`
      select id, hashint4(id) as hash from unnest(${unknown}::int[]) id`)
    for (const { id, hash } of rows) this.#hashes.set(id, hash)
  }

  /** The rows by the machines that hold their services' shards. */
  async groups<Row extends { readonly serviceId: number }>(
    executor: Executor,
    rows: readonly Row[],
  ): Promise<readonly { readonly machine: Machine; readonly rows: Row[] }[]> {
    await this.#refresh(executor)
    await this.#learn(
      executor,
      rows.map(({ serviceId }) => serviceId),
    )
    const groups = new Map<string, { machine: Machine; rows: Row[] }>()
    for (const row of rows) {
      const machine = this.#machineOf(row.serviceId)
      const name = nameOf(machine)
      const group = groups.get(name)
      if (group === undefined) groups.set(name, { machine, rows: [row] })
      else group.rows.push(row)
    }
    return [...groups.values()]
  }

  #machineOf(serviceId: number): Machine {
    const hash = this.#hashes.get(serviceId) ?? 0
    const shard = this.#shards.find(({ first, last }) => first <= hash && hash <= last)
    if (shard === undefined) throw new Error(`The cluster has no shard for the history of service ${serviceId}.`)
    return shard
  }
}
