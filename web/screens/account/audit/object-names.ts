import { useQueries } from '@tanstack/react-query'
import { read } from '../../../api/client.ts'
import { type Change, isValues, referredKinds } from './change.ts'
import type { NameOf } from './value-text.ts'

/** Lists whose objects records name. */
type Listed =
  | '/services'
  | '/groups'
  | '/accounts'
  | '/api_keys'
  | '/tags'
  | '/contacts'
  | '/contact_groups'
  | '/escalations'
  | '/rotations'
  | '/status_pages'
  | '/wallboards'
  | '/templates'
  | '/reports'
  | '/notification_addresses'

interface Place {
  readonly list: Listed
  readonly field: 'name' | 'title' | 'address'
  /** The screen of the object. */
  readonly link: (id: string) => string
}

const at =
  (path: string): Place['link'] =>
  () =>
    path

/** Where objects of a kind have their names, and their screens. */
const places: Readonly<Record<string, Place>> = {
  services: { list: '/services', field: 'name', link: (id) => `/services/${id}` },
  groups: { list: '/groups', field: 'name', link: at('/account/groups') },
  accounts: { list: '/accounts', field: 'name', link: at('/account/people') },
  api_keys: { list: '/api_keys', field: 'name', link: at('/account/keys') },
  tags: { list: '/tags', field: 'name', link: at('/notifications') },
  contacts: { list: '/contacts', field: 'name', link: at('/on-call') },
  contact_groups: { list: '/contact_groups', field: 'name', link: at('/on-call') },
  escalations: { list: '/escalations', field: 'name', link: at('/on-call') },
  rotations: { list: '/rotations', field: 'name', link: at('/on-call') },
  status_pages: { list: '/status_pages', field: 'title', link: (id) => `/status-pages/${id}` },
  wallboards: { list: '/wallboards', field: 'name', link: at('/wallboards') },
  templates: { list: '/templates', field: 'name', link: (id) => `/notifications/templates/${id}` },
  reports: { list: '/reports', field: 'name', link: (id) => `/reports/${id}` },
  notification_addresses: {
    list: '/notification_addresses',
    field: 'address',
    link: (id) => `/notifications/addresses/${id}`,
  },
}

/** The numbers of objects that records name, by kind. */
function namedIn(changes: readonly Change[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const add = (kind: string, id: unknown) => {
    if (places[kind] === undefined || !/^\d+$/.test(String(id))) return
    found.set(kind, (found.get(kind) ?? new Set()).add(String(id)))
  }
  for (const { resource, object_id: id, before, after } of changes) {
    add(resource, id)
    for (const side of [before, after].filter(isValues))
      for (const [field, kind] of Object.entries(referredKinds)) for (const one of [side[field]].flat()) add(kind, one)
  }
  return found
}

export interface Names {
  readonly nameOf: NameOf
  /** The screen of an object that still exists; null if it has none. */
  readonly linkOf: (kind: string, id: string) => string | null
}

const mostIds = 200

interface Named {
  readonly id: number
  readonly name?: string
  readonly title?: string
  readonly address?: string
}

function nameIn({ name, title, address }: Named): string {
  return name ?? title ?? address ?? ''
}

/** The present names of the objects in these records, by one request for each kind; none where it may not be read. */
export function useObjectNames(changes: readonly Change[]): Names {
  const wanted = [...namedIn(changes)].map(([kind, ids]) => ({ kind, ids: [...ids].toSorted().slice(0, mostIds) }))
  const answers = useQueries({
    queries: wanted.map(({ kind, ids }) => ({
      queryKey: ['audit-names', kind, ids],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const { list, field } = places[kind] as Place
        const path = `${list}?${ids.map((id) => `id=${id}`).join('&')}&fields=id,${field}&limit=${mostIds}` as const
        const rows = await read(path, signal)
        return new Map(rows.map((row) => [String(row.id), nameIn(row)]))
      },
      retry: false,
    })),
  })
  const known = new Map(wanted.map(({ kind }, place) => [kind, answers[place]?.data]))
  return {
    nameOf: (kind, id) => known.get(kind)?.get(String(id)) || undefined,
    linkOf: (kind, id) => (known.get(kind)?.has(id) === true ? (places[kind]?.link(id) ?? null) : null),
  }
}
