import { useQueries, useQuery } from '@tanstack/react-query'
import type { RowAt } from '../../api/answers.ts'
import { type Path, read, readAll } from '../../api/client.ts'

type Permitted<List extends OnCallList> = RowAt<`/${List}?embed=permissions`>
export type ShownContact = Permitted<'contacts'>
export type ShownContactGroup = Permitted<'contact_groups'>
export type ShownRotation = Permitted<'rotations'>
export type ShownEscalation = Permitted<'escalations'>
export type ShownAddress = Permitted<'contact_addresses'>

const everyMs = 60_000

type OnCallList =
  | 'contacts'
  | 'contact_groups'
  | 'contact_addresses'
  | 'contact_suspensions'
  | 'contact_weekly_suspensions'
  | 'rotations'
  | 'escalations'

function useList<const A extends string>(collection: string, path: Path<'GET', A>) {
  return useQuery({ queryKey: [collection], queryFn: ({ signal }) => readAll(path, signal) })
}

export const useContacts = () => useList('contacts', '/contacts?embed=permissions&sort=name,id')
export const useContactGroups = () => useList('contact_groups', '/contact_groups?embed=permissions&sort=name,id')
export const useRotations = () => useList('rotations', '/rotations?embed=permissions&sort=name,id')
export const useEscalations = () => useList('escalations', '/escalations?embed=permissions&sort=name,id')
export const useContactAddresses = () =>
  useList('contact_addresses', '/contact_addresses?embed=permissions&sort=address,id')

/** One-off times of all contacts; those that are over are left out. */
export function useAbsences() {
  const list = useList('contact_suspensions', '/contact_suspensions?embed=permissions&sort=start_time,id')
  const now = Date.now()
  return list.data?.filter(({ end_time: end }) => Date.parse(end) > now) ?? []
}

/** Times of the week of all contacts. */
export const useWeeklyAbsences = () =>
  useList('contact_weekly_suspensions', '/contact_weekly_suspensions?embed=permissions&sort=contact_id,id').data ?? []

export type ShownTurn = RowAt<'/rotations/1/turns'>

/** The turns of the next four weeks, from now on, in the order of the rotations. */
export function useTurns(rotations: readonly ShownRotation[]) {
  return useQueries({
    queries: rotations.map(({ id }) => ({
      queryKey: ['rotations', id, 'turns'],
      refetchInterval: everyMs,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => read(`/rotations/${id}/turns`, signal),
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
