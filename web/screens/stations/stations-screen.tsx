import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { read } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { newestVersion, type Station, stateOf } from './station.ts'
import { StationList } from './station-list.tsx'
import { StationMap } from './station-map.tsx'
import { stationsWords } from './words.ts'

/** Where checks come from, which stations are connected now, and how they do. */
export function StationsScreen({ add }: { readonly add: ReactNode }) {
  const words = useWords(stationsWords)
  const { isAdministrator } = useReader()
  useEffect(() => showTitle(words.title), [words])
  const path = `${isAdministrator ? '/admin' : ''}/sensors?sort=name&limit=1000&embed=recent_rounds` as const
  const { data, error, refetch } = useQuery({
    queryKey: ['sensors', path],
    queryFn: ({ signal }) => read(path, signal),
    refetchInterval: usePace(10_000),
  })
  return (
    <div className="stations stack">
      <div>
        <h1>{words.title}</h1>
        <p className="dim">{words.about}</p>
      </div>
      {isAdministrator ? add : null}
      {data === undefined ? (
        error === null ? (
          <Loading what={words.what} />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <p className="empty">{words.none}</p>
      ) : (
        <ListAndMap stations={data} />
      )}
    </div>
  )
}

/** Moves the focus there, and what it is in into view. */
function goTo(id: string): void {
  const element = document.getElementById(id)
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}

function ListAndMap({ stations }: { readonly stations: readonly Station[] }) {
  const words = useWords(stationsWords)
  const [pointed, point] = useState<number | null>(null)
  const categories = useQuery({
    queryKey: ['service_type_categories'],
    queryFn: ({ signal }) => read('/dictionaries/service_type_categories?limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const categoryName = (id: string) => categories.data?.find((category) => category.id === id)?.name ?? id
  const newest = newestVersion(stations)
  const shown = stations.map((station) => ({ station, state: stateOf(station, newest) }))
  const isSomewhere = stations.some(({ latitude }) => latitude !== null)
  return (
    <>
      <div className={isSomewhere ? 'map-and-list' : undefined}>
        {isSomewhere ? <StationMap {...{ shown, pointed, point }} choose={(id) => goTo(`station-${id}`)} /> : null}
        <StationList {...{ shown, pointed, point, categoryName }} choose={(id) => goTo(`point-${id}`)} />
      </div>
      <p className="hint">{words.window}</p>
    </>
  )
}
