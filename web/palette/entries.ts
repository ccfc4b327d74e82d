import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { Service, ServiceStatus } from '../api/answers.ts'
import { read } from '../api/client.ts'
import { prefix } from '../api/prefix.ts'
import { logOut } from '../api/session.ts'
import { whenLeft } from '../leaving/unsaved.ts'
import type { IconName } from '../parts/icon.tsx'
import { shownState } from '../parts/state.tsx'
import { useChange } from '../parts/use-change.ts'
import { useReader } from '../reader.tsx'
import { useSections } from '../shell/use-sections.ts'
import { shellWords } from '../shell/words.ts'
import { useWords } from '../words/words.ts'
import type { Opened } from './use-shortcuts.ts'
import { paletteWords } from './words.ts'

/** One line of the palette. */
export interface Entry {
  readonly id: string
  readonly group: 'services' | 'here' | 'pages' | 'actions'
  readonly icon: IconName
  readonly name: string
  readonly more?: string
  readonly act: () => void
}

const mostServices = 8
const pauseAfterTypingMs = 120

/** The matches of the typed text: services as the API finds them, pages and actions by their names. */
export function useEntries(typed: string, open: (what: Opened) => void): readonly Entry[] {
  const here = useHere()
  const pages = usePages()
  const actions = useActions(open)
  const services = useServices(typed)
  const words = typed.trim().toLowerCase().split(/\s+/)
  const matches = ({ name }: Entry) => words.every((word) => name.toLowerCase().includes(word))
  const rest = [...pages, ...actions].filter(matches)
  return typed.trim() === '' ? [...here, ...rest] : [...services, ...here.filter(matches), ...rest]
}

type Found = Pick<Service, 'id' | 'name' | 'address'> & { readonly status: ServiceStatus | null }

function useServices(typed: string): readonly Entry[] {
  const [, navigate] = useLocation()
  const asked = useLater(typed.trim())
  const { isAdministrator } = useReader()
  const { data = [] } = useQuery({
    queryKey: ['palette', asked],
    enabled: asked !== '' && !isAdministrator,
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        query: asked,
        is_archived: 'false',
        fields: 'id,name,address',
        embed: 'status',
      })
      return read<Found[]>(`/services?${query}&limit=${mostServices}`, signal)
    },
  })
  if (typed.trim() === '') return []
  return data.map(({ id, name, address, status }) => ({
    ...{
      id: `service-${id}`,
      group: 'services',
      icon: status == null ? 'unknown' : shownState(status),
      name,
      more: address,
    },
    act: () => navigate(`/services/${id}`),
  }))
}

function useLater(text: string): string {
  const [later, setLater] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), pauseAfterTypingMs)
    return () => clearTimeout(timer)
  }, [text])
  return later
}

function usePages(): readonly Entry[] {
  const [, navigate] = useLocation()
  const words = useWords(shellWords)
  const { preferences } = useReader()
  const sections = useSections()
  const views = preferences.views.map(
    ({ name, query }): Entry => ({
      ...{ id: `view-${name}`, group: 'pages', icon: 'list', name, more: words.services },
      act: () => navigate(`/services?${query}`),
    }),
  )
  const pages = sections.map(
    ({ path, name, icon }): Entry => ({
      ...{ id: `page-${name}`, group: 'pages', icon, name: words[name] },
      act: () => navigate(path),
    }),
  )
  return [...pages, ...views]
}

function useActions(open: (what: Opened) => void): readonly Entry[] {
  const words = useWords(paletteWords)
  const [, navigate] = useLocation()
  const { account, choose, isAdministrator } = useReader()
  const entry = (id: string, icon: IconName, name: string, act: () => void): Entry => ({
    ...{ id, group: 'actions', icon, name, act },
  })
  return [
    ...(account.is_read_only || isAdministrator
      ? []
      : [entry('new', 'add', words.newService, () => navigate('/services/new'))]),
    ...(isAdministrator
      ? []
      : [
          entry('groups', 'list', words.groups, () => navigate('/account/groups')),
          entry('failing', 'failure', words.failing, () => navigate('/services?status.summary=failure')),
        ]),
    entry('keys', 'more', words.keys, () => open('help')),
    entry('dark', 'columns', words.dark, () => choose({ theme: 'dark' })),
    entry('light', 'columns', words.light, () => choose({ theme: 'light' })),
    entry('log-out', 'leave', words.logOut, () => void whenLeft(logOut)),
  ]
}

type Open = Pick<Service, 'id' | 'name' | 'is_active' | 'is_archived'> & {
  readonly permissions: Readonly<Record<string, boolean>>
}

/** The actions for the service whose page is open. */
function useHere(): readonly Entry[] {
  const words = useWords(paletteWords)
  const [place, navigate] = useLocation()
  const { mutate } = useChange()
  const [, asked] = /^\/services\/(\d+)/.exec(place) ?? []
  const { data } = useQuery({
    queryKey: ['palette', 'here', asked],
    enabled: asked !== undefined,
    queryFn: ({ signal }) =>
      read<Open>(`/services/${asked}?fields=id,name,is_active,is_archived&embed=permissions`, signal),
  })
  if (data === undefined || asked === undefined) return []
  const { id, name, is_active, is_archived, permissions } = data
  const may = (flag: string) => permissions[flag] === true && !is_archived
  const path = `/services/${id}`
  const entry = (key: string, icon: IconName, text: string, act: () => void): Entry => ({
    ...{ id: key, group: 'here', icon, name: text, more: name, act },
  })
  return [
    ...(may('force_analyses') && is_active
      ? [entry('check', 'again', words.checkNow, () => mutate({ method: 'POST', path: `${path}/force_analysis` }))]
      : []),
    ...(may('update')
      ? [
          entry('edit', 'edit', words.edit, () => navigate(`${path}/edit`)),
          entry('pause', is_active ? 'paused' : 'ok', is_active ? words.pause : words.resume, () =>
            mutate({ method: 'PUT', path, body: { is_active: !is_active } }),
          ),
          entry('clone', 'copy', words.clone, () => navigate(`/services/new?clone=${id}`)),
        ]
      : []),
    entry(
      'link',
      'copy',
      words.copyLink,
      () => void navigator.clipboard.writeText(`${location.origin}${prefix}${path}`),
    ),
  ]
}
