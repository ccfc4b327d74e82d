import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Account, Group, Service, Suspension, Term, WeeklySuspension } from '../../api/answers.ts'
import { change, type Problem, read, readPage } from '../../api/client.ts'
import { rangeText } from './week.ts'

/** The most that is drawn of a week; more is told. */
const most = 1000
const everyMs = 30_000

/** Filters of the address bar that go to both lists as they stand. */
export const filterNames = ['service_id', 'service.group_id', 'service.tags'] as const

function filtersOf(search: URLSearchParams): string {
  const asked = new URLSearchParams()
  for (const name of filterNames) for (const value of search.getAll(name)) asked.append(name, value)
  return asked.size === 0 ? '' : `&${asked}`
}

export function useSuspensions(range: { readonly from: number; readonly to: number }, search: URLSearchParams) {
  const path = `/suspensions?${rangeText(range)}${filtersOf(search)}&embed=permissions&sort=start_time&limit=${most}`
  return useQuery({
    queryKey: ['suspensions', path],
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    queryFn: ({ signal }) => readPage<Suspension>(path, signal),
  })
}

export function useWeekly(search: URLSearchParams) {
  const path = `/weekly_suspensions?embed=permissions${filtersOf(search)}&sort=start_minute&limit=${most}`
  return useQuery({
    queryKey: ['weekly_suspensions', path],
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    queryFn: ({ signal }) => readPage<WeeklySuspension>(path, signal),
  })
}

export interface NamedService {
  readonly id: number
  readonly name: string
  /** IANA name; null: the owner is not visible to the reader. */
  readonly zone: string | null
}

type Owned = Pick<Service, 'id' | 'name'> & { readonly owner: Pick<Account, 'time_zone_id'> | null }

/** Names of services and the zones of their owners. */
export function useServices(ids: readonly number[]) {
  const { data: zones } = useQuery({
    queryKey: ['time_zones'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      new Map((await read<Term[]>('/dictionaries/time_zones', signal)).map(({ id, name }) => [id, name])),
  })
  const asked = [...new Set(ids)].toSorted((one, other) => one - other)
  return useQuery({
    queryKey: ['services', 'calendar', asked],
    enabled: asked.length > 0 && zones !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = new Map<number, NamedService>()
      for (let at = 0; at < asked.length; at += 200) {
        const part = asked.slice(at, at + 200).map((id) => `id=${id}`)
        const fields = 'fields=id,name&embed=owner.time_zone_id&limit=200'
        for (const { id, name, owner } of await read<Owned[]>(`/services?${part.join('&')}&${fields}`, signal))
          found.set(id, { id, name, zone: zones?.get(owner?.time_zone_id ?? '') ?? null })
      }
      return found
    },
  })
}

/** Conditions of a list of services: those that the reader may suspend. */
export const suspendable = 'permissions.create_suspensions=true&is_archived=false'

/** How many services the reader may suspend. */
export function useSuspendable() {
  return useQuery({
    queryKey: ['services', 'suspendable'],
    queryFn: async ({ signal }) => (await readPage(`/services?${suspendable}&fields=id&limit=0`, signal)).total,
  })
}

export function useGroups() {
  return useQuery({
    queryKey: ['groups', 'names'],
    queryFn: ({ signal }) => read<Pick<Group, 'id' | 'name'>[]>('/groups?fields=id,name&sort=name&limit=1000', signal),
  })
}

export function useTags() {
  return useQuery({
    queryKey: ['tags', 'names'],
    queryFn: ({ signal }) => read<{ readonly name: string }[]>('/tags?fields=name&limit=1000', signal),
  })
}

/** How it went with one element. */
export interface Outcome {
  readonly ok: boolean
  readonly problems: readonly Problem[]
}

interface Change {
  readonly path: string
  readonly body: unknown
}

/** Changes many suspensions; what is on the screen is read again afterwards. */
export function useBulkChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, body }: Change) => change<readonly Outcome[]>('POST', path, body),
    onSettled: () => client.invalidateQueries(),
  })
}
