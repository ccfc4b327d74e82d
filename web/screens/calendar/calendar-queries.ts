import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Account, Service, WideSuspension } from '../../api/answers.ts'
import { sendChange } from '../../api/calls.ts'
import { type Problem, read, readPage } from '../../api/client.ts'
import { type Change, readAgain } from '../../parts/use-change.ts'
import { rangeText } from './week.ts'

/** At most so many suspensions are drawn in a week. If there are more, the calendar says so. */
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
  const path =
    `/suspensions?${rangeText(range)}${filtersOf(search)}&embed=permissions&sort=start_time&limit=${most}` as const
  return useQuery({
    queryKey: ['suspensions', path],
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    queryFn: ({ signal }) => readPage(path, signal),
  })
}

export function useWeekly(search: URLSearchParams) {
  const path = `/weekly_suspensions?embed=permissions${filtersOf(search)}&sort=start_minute&limit=${most}` as const
  return useQuery({
    queryKey: ['weekly_suspensions', path],
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    queryFn: ({ signal }) => readPage(path, signal),
  })
}

type Covering = Pick<WideSuspension, 'group_id' | 'tag'> & {
  readonly owner: { readonly time_zone_id: string } | null
}

/** Whether a wide suspension can cover a service of the filters. */
function canCover({ group_id: groupId, tag }: Covering, search: URLSearchParams): boolean {
  const [groups, tags] = [search.getAll('service.group_id'), search.getAll('service.tags')]
  const isInGroup = groupId === null || groups.length === 0 || groups.includes(String(groupId))
  return isInGroup && (tag === null || tags.length === 0 || tags.includes(tag))
}

const wideEmbedded = 'embed=group.name,owner.time_zone_id,permissions'

/** Suspensions of groups, tags and accounts; of one service if the address names one. */
export function useWide(range: { readonly from: number; readonly to: number }, search: URLSearchParams) {
  const { data: zones } = useZones()
  const serviceId = search.get('service_id')
  const place = serviceId === null ? '' : (`/services/${serviceId}` as const)
  const usual = { enabled: zones !== undefined, placeholderData: keepPreviousData, refetchInterval: everyMs }
  const shown = <Row extends Covering>(rows: readonly Row[]) =>
    rows
      .filter((row) => canCover(row, search))
      .map((row) => ({ ...row, zone: zones?.get(row.owner?.time_zone_id ?? '') ?? null }))
  const once = `${place}/wide_suspensions?${rangeText(range)}&${wideEmbedded}&limit=${most}` as const
  const weekly = `${place}/wide_weekly_suspensions?${wideEmbedded}&limit=${most}` as const
  return {
    once: useQuery({
      ...usual,
      queryKey: ['wide_suspensions', once, search.toString()],
      queryFn: async ({ signal }) => shown(await read(once, signal)),
    }),
    weekly: useQuery({
      ...usual,
      queryKey: ['wide_weekly_suspensions', weekly, search.toString()],
      queryFn: async ({ signal }) => shown(await read(weekly, signal)),
    }),
  }
}

export interface NamedService {
  readonly id: number
  readonly name: string
  /** IANA name; null: the owner is not visible to the reader. */
  readonly zone: string | null
  readonly ownerId: number
  /** Null: not visible to the reader. */
  readonly owner: string | null
}

type Owned = Pick<Service, 'id' | 'name' | 'owner_id'> & {
  readonly owner: Pick<Account, 'name' | 'username' | 'time_zone_id'> | null
}
type Zones = ReadonlyMap<string, string>

const ownedFields = 'fields=id,name,owner_id&embed=owner.name,owner.username,owner.time_zone_id'

function namedOf({ id, name, owner_id: ownerId, owner }: Owned, zones: Zones): NamedService {
  const zone = zones.get(owner?.time_zone_id ?? '') ?? null
  return { id, name, zone, ownerId, owner: owner === null ? null : owner.name || owner.username }
}

function useZones() {
  return useQuery({
    queryKey: ['time_zones'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Zones> =>
      new Map((await read('/dictionaries/time_zones?limit=1000', signal)).map(({ id, name }) => [id, name])),
  })
}

/** The services, as far as they are shown, that a list of the API names; null: none is asked for. */
export function useCovered(conditions: string | null) {
  const { data: zones } = useZones()
  const { data } = useQuery({
    queryKey: ['services', 'covered', conditions],
    enabled: conditions !== null && zones !== undefined,
    queryFn: async ({ signal }) => {
      const rows = await read(`/services?${conditions}&${ownedFields}&sort=name&limit=1000`, signal)
      return rows.map((row) => namedOf(row, zones ?? new Map()))
    },
  })
  return conditions === null ? [] : (data ?? [])
}

/** Names of services and the zones of their owners. */
export function useServices(ids: readonly number[]) {
  const { data: zones } = useZones()
  const asked = [...new Set(ids)].toSorted((one, other) => one - other)
  return useQuery({
    queryKey: ['services', 'calendar', asked],
    enabled: asked.length > 0 && zones !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = new Map<number, NamedService>()
      for (let at = 0; at < asked.length; at += 200) {
        const part = asked.slice(at, at + 200).map((id) => `id=${id}`)
        for (const row of await read(`/services?${part.join('&')}&${ownedFields}&limit=200`, signal))
          found.set(row.id, namedOf(row, zones ?? new Map()))
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

export function useTags() {
  return useQuery({
    queryKey: ['tags', 'names'],
    queryFn: ({ signal }) => read('/tags?fields=name&limit=1000', signal),
  })
}

/** The result for one element of a bulk change. */
export interface Outcome {
  readonly ok: boolean
  readonly problems: readonly Problem[]
}

/** Changes many suspensions, or a wide one, whose answer is empty. Afterwards the calendar is read again. */
export function useBulkChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (call: Change<readonly Outcome[] | object | undefined>): Promise<readonly Outcome[]> => {
      const answer = await sendChange(call)
      return Array.isArray(answer) ? answer : []
    },
    onSettled: readAgain(client),
  })
}
