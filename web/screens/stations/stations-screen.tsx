import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Sensor, Term } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { usePace } from '../../live/live.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { stationsWords } from './words.ts'
import './stations.css'

/** Where checks come from, and which stations are connected now. */
export function StationsScreen() {
  const words = useWords(stationsWords)
  useEffect(() => showTitle(words.title), [words])
  const { data, error, refetch } = useQuery({
    queryKey: ['sensors'],
    queryFn: ({ signal }) => read<Sensor[]>('/sensors?sort=name&limit=1000', signal),
    refetchInterval: usePace(10_000),
  })
  const categories = useQuery({
    queryKey: ['service_type_categories'],
    queryFn: ({ signal }) => read<Term[]>('/dictionaries/service_type_categories?limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const categoryName = (id: string) => categories.data?.find((category) => category.id === id)?.name ?? id
  return (
    <div className="stations stack">
      <div>
        <h1>{words.title}</h1>
        <p className="dim">{words.about}</p>
      </div>
      {data === undefined ? (
        error === null ? (
          <Loading what={words.what} />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <p className="empty">{words.none}</p>
      ) : (
        <ul className="station-list">
          {data.map((sensor) => (
            <li key={sensor.id} className="card">
              <h2>{sensor.name}</h2>
              <p className={sensor.is_available ? 'state ok' : 'state failure'}>
                <Icon name={sensor.is_available ? 'ok' : 'failure'} />
                {sensor.is_available ? words.available : words.away}
              </p>
              <dl>
                <dt>{words.place}</dt>
                <dd>{[sensor.city, sensor.country].filter((part) => part !== '').join(', ') || '–'}</dd>
                {sensor.ip_address === '' ? null : (
                  <>
                    <dt>{words.address}</dt>
                    <dd className="mono">{sensor.ip_address}</dd>
                  </>
                )}
                <dt>{words.checks}</dt>
                <dd>{sensor.category_ids.map(categoryName).join(', ')}</dd>
              </dl>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
