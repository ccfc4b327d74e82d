import { useQuery } from '@tanstack/react-query'
import type { StatusPage, StatusPageComponent, StatusPageIncident, StatusPageTemplate } from '../../api/answers.ts'
import { read } from '../../api/client.ts'

type Permitted<Shown> = Shown & { readonly permissions: Readonly<Record<string, boolean>> }
/** `name` as lists of the console want it. */
export type ShownPage = Permitted<StatusPage> & { readonly name: string }
export type ShownComponent = Permitted<StatusPageComponent>
export type ShownIncident = Permitted<StatusPageIncident>
export type ShownTemplate = Permitted<StatusPageTemplate>

/** Failures come and go without the reader. */
const everyMs = 15_000

const pageList = '/status_pages?embed=permissions&sort=title&limit=1000'

export function usePages() {
  return useQuery({
    queryKey: ['status_pages'],
    queryFn: async ({ signal }) => {
      const pages = await read(pageList, signal)
      return pages.map((page): ShownPage => ({ ...page, name: page.title }))
    },
  })
}

export function useComponents(pageId: number) {
  const path = `/status_page_components?status_page_id=${pageId}&embed=permissions&sort=position,id&limit=1000` as const
  return useQuery({
    queryKey: ['status_page_components', pageId],
    queryFn: ({ signal }) => read(path, signal),
    refetchInterval: everyMs,
  })
}

export function useIncidents(pageId: number) {
  const path = `/status_page_incidents?status_page_id=${pageId}&embed=permissions&sort=-started_at&limit=200` as const
  return useQuery({
    queryKey: ['status_page_incidents', pageId],
    queryFn: ({ signal }) => read(path, signal),
    refetchInterval: everyMs,
  })
}

export function useIncidentTemplates(pageId: number) {
  const path = `/status_page_incident_templates?status_page_id=${pageId}&embed=permissions&sort=name&limit=200` as const
  return useQuery({
    queryKey: ['status_page_incident_templates', pageId],
    queryFn: ({ signal }) => read(path, signal),
  })
}

interface Named {
  readonly id: number
  readonly name: string
}

export function useNamed(collection: 'services' | 'groups' | 'tags'): readonly Named[] {
  const sort = collection === 'tags' ? '' : '&sort=name'
  const { data } = useQuery({
    queryKey: [collection, 'names'],
    queryFn: ({ signal }) => read(`/${collection}?fields=id,name${sort}&limit=1000`, signal),
  })
  return data ?? []
}

interface ServiceChoice extends Named {
  /** Its name; where others have the same, with its address and its group. */
  readonly shown: string
}

/** The services to choose from, each told apart from the others. */
export function useServiceChoices(): readonly ServiceChoice[] {
  const path = '/services?fields=id,name,address&embed=group.name&sort=name,id&limit=1000' as const
  const { data = [] } = useQuery({
    queryKey: ['services', 'choices'],
    queryFn: ({ signal }) => read(path, signal),
  })
  const counts = new Map<string, number>()
  for (const { name } of data) counts.set(name, (counts.get(name) ?? 0) + 1)
  return data.map(({ id, name, address, group }) => {
    const more = counts.get(name) === 1 ? [] : [address, group?.name ?? ''].filter((part) => part !== '')
    return { id, name, shown: [name, ...more].join(' · ') }
  })
}
