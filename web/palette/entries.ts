import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { callTo } from '../api/calls.ts'
import { read } from '../api/client.ts'
import { prefix } from '../api/prefix.ts'
import { logOut } from '../api/session.ts'
import { whenLeft } from '../leaving/unsaved.ts'
import type { IconName } from '../parts/icon.tsx'
import { useChange } from '../parts/use-change.ts'
import { useReader } from '../reader.tsx'
import { useSections } from '../shell/use-sections.ts'
import { shellWords } from '../shell/words.ts'
import { useWords } from '../words/words.ts'
import { isMatch, placeWords } from './places.ts'
import { useSearched } from './searched.ts'
import type { Opened } from './use-shortcuts.ts'
import { paletteWords } from './words.ts'

/** One line of the palette. */
export interface Entry {
  readonly id: string
  readonly group: 'services' | 'here' | 'pages' | 'actions' | 'addresses' | 'documents'
  readonly icon: IconName
  readonly name: string
  readonly more?: string
  /** Other words for it, which are not shown. */
  readonly also?: string
  /** The language of its texts, if it is not the reader's. */
  readonly language?: string
  readonly act: () => void
}

/** The matches of the typed text: pages go by names and other words, actions by names; the others are searched for. */
export function useEntries(typed: string, open: (what: Opened) => void): readonly Entry[] {
  const here = useHere()
  const pages = usePages()
  const actions = useActions(open)
  const { services, addresses, documents } = useSearched(typed)
  const places = usePlaces()
  if (typed.trim() === '') return [...here, ...pages, ...actions]
  const matches = ({ name }: Entry) => isMatch(typed, name)
  const isOtherwise = (entry: Entry) => !matches(entry) && isMatch(typed, `${entry.name} ${entry.also ?? ''}`)
  const screens = [...pages, ...places]
  const rest = [...screens.filter(matches), ...screens.filter(isOtherwise), ...actions.filter(matches)]
  return [...services, ...here.filter(matches), ...rest, ...addresses, ...documents]
}

function usePages(): readonly Entry[] {
  const [, navigate] = useLocation()
  const words = useWords(shellWords)
  const others = useWords(placeWords).sections
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
      ...{ id: `page-${name}`, group: 'pages', icon, name: words[name], also: others[name] ?? '' },
      act: () => navigate(path),
    }),
  )
  return [...pages, ...views]
}

/** Screens within the sections. */
function usePlaces(): readonly Entry[] {
  const [, navigate] = useLocation()
  const { places } = useWords(placeWords)
  const { isAdministrator } = useReader()
  if (isAdministrator) return []
  return places.map(
    ({ path, icon, name, also }): Entry => ({
      ...{ id: `place${path.replaceAll('/', '-')}`, group: 'pages', icon, name, also },
      act: () => navigate(path),
    }),
  )
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

/** The actions for the service whose page is open. */
function useHere(): readonly Entry[] {
  const words = useWords(paletteWords)
  const [place, navigate] = useLocation()
  const { mutate } = useChange()
  const [, asked] = /^\/services\/(\d+)/.exec(place) ?? []
  const { data } = useQuery({
    queryKey: ['palette', 'here', asked],
    enabled: asked !== undefined,
    queryFn: ({ signal }) => read(`/services/${asked}?fields=id,name,is_active,is_archived&embed=permissions`, signal),
  })
  if (data === undefined || asked === undefined) return []
  const { id, name, is_active, is_archived, permissions } = data
  const may = (flag: keyof typeof permissions) => permissions[flag] && !is_archived
  const path = `/services/${id}` as const
  const entry = (key: string, icon: IconName, text: string, act: () => void): Entry => ({
    ...{ id: key, group: 'here', icon, name: text, more: name, act },
  })
  return [
    ...(may('force_analyses') && is_active
      ? [entry('check', 'again', words.checkNow, () => mutate(callTo('POST', `${path}/force_analysis`)))]
      : []),
    ...(may('update')
      ? [
          entry('edit', 'edit', words.edit, () => navigate(`${path}/edit`)),
          entry('pause', is_active ? 'paused' : 'ok', is_active ? words.pause : words.resume, () =>
            mutate(callTo('PUT', path, { is_active: !is_active })),
          ),
          entry('clone', 'copy', words.clone, () => navigate(`/services/new?clone=${id}`)),
        ]
      : []),
    // Without TLS browsers have no clipboard at all.
    ...(navigator.clipboard === undefined
      ? []
      : [
          entry(
            'link',
            'copy',
            words.copyLink,
            () => void navigator.clipboard.writeText(`${location.origin}${prefix}${path}`),
          ),
        ]),
  ]
}
