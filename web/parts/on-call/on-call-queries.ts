import { useQueries, useQuery } from '@tanstack/react-query'
import type { Query } from '../../api/address.ts'
import type {
  Contact,
  ContactAddress,
  ContactGroup,
  ContactSuspension,
  ContactWeeklySuspension,
  Escalation,
  Rotation,
} from '../../api/answers.ts'
import { read, readPage } from '../../api/client.ts'

type Permitted<Shown> = Shown & { readonly permissions: Readonly<Record<string, boolean>> }
export type ShownContact = Permitted<Contact>
export type ShownContactGroup = Permitted<ContactGroup>
export type ShownRotation = Permitted<Rotation>
export type ShownEscalation = Permitted<Escalation>
export type ShownAddress = ContactAddress & {
  readonly permissions: Readonly<Record<'update' | 'delete' | 'send_test_sms_notifications', boolean>>
}

const everyMs = 60_000

type OnCallList =
  | 'contacts'
  | 'contact_groups'
  | 'contact_addresses'
  | 'contact_suspensions'
  | 'contact_weekly_suspensions'
  | 'rotations'
  | 'escalations'

function useList<Shown>(collection: OnCallList, sort = 'name') {
  return useQuery({
    queryKey: [collection],
    queryFn: ({ signal }) => readAll<Shown>(`/${collection}?embed=permissions&sort=${sort},id`, signal),
  })
}

/** The longest page of the API. */
const rowsOfPage = 1000

async function readAll<Shown>(path: Query, signal: AbortSignal): Promise<readonly Shown[]> {
  const found: Shown[] = []
  for (;;) {
    const page = await readPage<Shown>(`${path}&limit=${rowsOfPage}&offset=${found.length}`, signal)
    found.push(...page.rows)
    if (page.rows.length === 0 || found.length >= page.total) return found
  }
}

export const useContacts = () => useList<ShownContact>('contacts')
export const useContactGroups = () => useList<ShownContactGroup>('contact_groups')
export const useRotations = () => useList<ShownRotation>('rotations')
export const useEscalations = () => useList<ShownEscalation>('escalations')
export const useContactAddresses = () => useList<ShownAddress>('contact_addresses', 'address')

/** One-off times of all contacts; those that are over are left out. */
export function useAbsences() {
  const list = useList<Permitted<ContactSuspension>>('contact_suspensions', 'start_time')
  const now = Date.now()
  return list.data?.filter(({ end_time: end }) => Date.parse(end) > now) ?? []
}

/** Times of the week of all contacts. */
export const useWeeklyAbsences = () =>
  useList<Permitted<ContactWeeklySuspension>>('contact_weekly_suspensions', 'contact_id').data ?? []

export interface Duty {
  /** Null: nobody. */
  readonly contact_id: number | null
  readonly until: string | null
}

/** The contacts on duty now, in the order of the rotations. */
export function useDuties(rotations: readonly ShownRotation[]) {
  return useQueries({
    queries: rotations.map(({ id }) => ({
      queryKey: ['rotations', id, 'on_duty'],
      refetchInterval: everyMs,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => read<Duty>(`/rotations/${id}/on_duty`, signal),
    })),
  })
}

interface Named {
  readonly id: number
  readonly name: string
}

/** The name of one that may be gone, or another's. */
export function nameOf(all: readonly Named[], id: number): string {
  return all.find((one) => one.id === id)?.name ?? `#${id}`
}
