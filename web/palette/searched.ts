import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { read } from '../api/client.ts'
import { prefix } from '../api/prefix.ts'
import type { Found as FoundDocument, Index } from '../documents/find.ts'
import { whenLeft } from '../leaving/unsaved.ts'
import { withPort } from '../parts/port-place.ts'
import { shownState } from '../parts/state.tsx'
import { useReader } from '../reader.tsx'
import type { Entry } from './entries.ts'

const most = { services: 8, addresses: 5, documents: 5 }
const pauseAfterTypingMs = 120

/** The text as it was when the reader last paused. */
function useLater(text: string): string {
  const [later, setLater] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), pauseAfterTypingMs)
    return () => clearTimeout(timer)
  }, [text])
  return later
}

/** The services, addresses and documents that match the typed text, in this order: nothing while nothing is typed. */
export function useSearched(typed: string): Readonly<Record<'services' | 'addresses' | 'documents', readonly Entry[]>> {
  const asked = useLater(typed.trim())
  const [services, addresses, documents] = [useServices(asked), useAddresses(asked), useDocuments(asked)]
  return typed.trim() === '' ? { services: [], addresses: [], documents: [] } : { services, addresses, documents }
}

/** The services as the API finds them. */
function useServices(asked: string): readonly Entry[] {
  const [, navigate] = useLocation()
  const { isAdministrator } = useReader()
  const { data = [] } = useQuery({
    queryKey: ['palette', asked],
    enabled: asked !== '' && !isAdministrator,
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        query: asked,
        is_archived: 'false',
        fields: 'id,name,address,port',
        embed: 'status',
      })
      return read(`/services?${query}&limit=${most.services}`, signal)
    },
  })
  return data.map(({ id, name, address, port, status }) => ({
    ...{ id: `service-${id}`, group: 'services', name },
    more: port === null ? address : withPort(address, String(port)),
    icon: status == null ? 'unknown' : shownState(status),
    act: () => navigate(`/services/${id}`),
  }))
}

async function readAddresses(asked: string, signal: AbortSignal) {
  const query = `fields=id,address,description&sort=address&limit=${most.addresses}&${new URLSearchParams({ query: asked })}`
  const [ofGroups, ofContacts] = await Promise.all([
    read(`/notification_addresses?${query}&embed=group.name`, signal),
    read(`/contact_addresses?${query}&embed=contact.name`, signal),
  ])
  return [
    ...ofGroups.map((one) => ({ ...one, screen: 'notifications', of: one.group?.name })),
    ...ofContacts.map((one) => ({ ...one, screen: 'on-call', of: one.contact?.name })),
  ]
}

/** The addresses of groups and of contacts; each leads to its line on its screen. */
function useAddresses(asked: string): readonly Entry[] {
  const [, navigate] = useLocation()
  const { isAdministrator } = useReader()
  const { data = [] } = useQuery({
    queryKey: ['palette', 'addresses', asked],
    enabled: asked !== '' && !isAdministrator,
    queryFn: ({ signal }) => readAddresses(asked, signal),
  })
  return data.map(({ id, address, description, screen, of }) => ({
    ...{ id: `${screen}-${id}`, group: 'addresses', icon: 'bell', name: address },
    more: [of ?? '', description].filter((part) => part !== '').join(' · '),
    act: () => navigate(`/${screen}?address=${id}`),
  }))
}

/** The search of the documents is loaded when something is typed, and so is its index. */
async function searchDocuments(language: string) {
  const search = await import('../documents/find.ts')
  const indexes: readonly Index[] = await search.loadIndexes(`${prefix}/docs/`, language)
  return (asked: string) => search.find(indexes, asked, most.documents)
}

function useDocuments(asked: string): readonly Entry[] {
  const { language } = useReader()
  const { data: search } = useQuery({
    queryKey: ['documents', language],
    enabled: asked !== '',
    staleTime: Number.POSITIVE_INFINITY,
    // A function is no data that could be compared with an older one.
    structuralSharing: false,
    queryFn: () => searchDocuments(language),
  })
  if (search === undefined || asked === '') return []
  return search(asked).slice(0, most.documents).map(documentEntry)
}

function documentEntry({ id, shownPage, shownHeading, language }: FoundDocument): Entry {
  return {
    language,
    ...{ id: `document-${id.replaceAll(/[^\w-]/g, '-')}`, group: 'documents', icon: 'report', name: shownPage },
    ...(shownHeading === '' ? {} : { more: shownHeading }),
    act: () => void whenLeft(() => location.assign(`${prefix}/docs/${id}`)),
  }
}
