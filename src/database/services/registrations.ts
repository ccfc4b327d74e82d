import sql from 'sql-template-tag'
import {
  nothingAsked,
  type Registration,
  type RegistryFault,
  type RegistryMemory,
} from '../../domain/expiry/registration.ts'
import type { Database, Executor } from '../connect.ts'

/** The answers of registries about domains, for all accounts: nobody learns here who watches a domain. */

/** Longer than any question takes. */
const leaseLength = 120_000

interface MemoryRow {
  readonly registration: Registration | null
  readonly misses: number
  readonly answered_at: number | null
  readonly fault: RegistryFault | null
  readonly failures: number
  readonly etag: string | null
  readonly ask_after: number
}

function memoryOf(row: MemoryRow): RegistryMemory {
  const { registration, misses, fault, failures, etag } = row
  return { registration, misses, fault, failures, etag, answeredAt: row.answered_at, askAfter: row.ask_after }
}

const columns = sql`registration, misses, answered_at, fault, failures, etag, ask_after`

/** True in `isDue`: the registry is to be asked by this caller. A claim of a dead process ends with its lease. */
export async function claimRegistration(
  database: Database,
  domain: string,
  now: number,
): Promise<{ readonly memory: RegistryMemory; readonly isDue: boolean }> {
  const at = sql`${new Date(now)}::timestamptz`
  const read = sql`select ${columns} from registrations where domain = ${domain}`
  const [known] = await database.query<MemoryRow>(read, 'read-registration')
  if (known !== undefined && known.ask_after > now) return { memory: memoryOf(known), isDue: false }
  const [claimed] = await database.query<MemoryRow>(
    sql`insert into registrations as known (domain, ask_after, leased_until)
      values (${domain}, ${at}, ${new Date(now + leaseLength)}) on conflict (domain) do update
      set leased_until = excluded.leased_until
      where known.ask_after <= ${at} and (known.leased_until is null or known.leased_until <= ${at})
      returning ${columns}`,
    'claim-registration',
  )
  if (claimed !== undefined) return { memory: memoryOf(claimed), isDue: true }
  return { memory: known === undefined ? nothingAsked : memoryOf(known), isDue: false }
}

export async function keepRegistration(executor: Executor, domain: string, memory: RegistryMemory): Promise<void> {
  const { registration, misses, answeredAt, fault, failures, etag, askAfter } = memory
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await executor.execute(
    sql`update registrations set registration = ${json(registration)}, misses = ${misses},
        answered_at = ${answeredAt === null ? null : new Date(answeredAt)}, fault = ${json(fault)},
        failures = ${failures}, etag = ${etag}, ask_after = ${new Date(askAfter)}, leased_until = null
      where domain = ${domain}`,
    'keep-registration',
  )
}

interface ServerRow {
  readonly ask_after: number
  readonly etag: string | null
  readonly content: string | null
}

export async function readRegistryServer(
  executor: Executor,
  url: string,
): Promise<{ readonly askAfter: number; readonly etag: string | null; readonly content: string | null } | null> {
  const [row] = await executor.query<ServerRow>(
    sql`select ask_after, etag, content from registry_servers where url = ${url}`,
    'read-registry-server',
  )
  return row === undefined ? null : { askAfter: row.ask_after, etag: row.etag, content: row.content }
}

export async function keepRegistryServer(
  executor: Executor,
  url: string,
  known: { readonly askAfter: number; readonly etag: string | null; readonly content: string | null },
): Promise<void> {
  const askAfter = new Date(known.askAfter)
  await executor.execute(
    sql`insert into registry_servers (url, ask_after, etag, content)
      values (${url}, ${askAfter}, ${known.etag}, ${known.content}) on conflict (url) do update
      set ask_after = excluded.ask_after, etag = excluded.etag, content = excluded.content`,
    'keep-registry-server',
  )
}

/** Forgets domains that no service has asked for since the moment: a watched one is asked for once a day. */
export async function forgetRegistrations(executor: Executor, beforeAt: number): Promise<void> {
  await executor.execute(sql`delete from registrations where ask_after < ${new Date(beforeAt)}`)
}
