import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { read } from '../../api/client.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import { ResponseChart, type ResponsePoint } from './response-chart.tsx'
import type { ShownService } from './service-query.ts'
import { serviceWords } from './words.ts'

const ranges = { hours: 7200, day: 86_400, week: 604_800, month: 2_592_000, quarter: 7_776_000 } as const
type Range = keyof typeof ranges
const names = Object.keys(ranges) as Range[]
const usual: Range = 'day'

/**
 * How long answers took, over a range that the address bar keeps. A heartbeat has run times instead, and no card while
 * its job tells none.
 */
export function Response({ service: { id, type_id: typeId } }: { readonly service: ShownService }) {
  const words = useWords(serviceWords)
  const [search, setSearch] = useSearchParams()
  const range = names.find((name) => name === search.get('range')) ?? usual
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['performance', id, range],
    queryFn: ({ signal }) => read(`/services/${id}/charts/performance?from=-${ranges[range]}`, signal),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })
  const isHeartbeat = typeId === 'heartbeat'
  const hasTimes = data?.some(({ average }) => average !== null) === true
  if (isHeartbeat && !hasTimes && range === usual) return null
  return (
    <section className="card" aria-labelledby="response">
      <header>
        <h2 id="response">{isHeartbeat ? words.runTimes : words.response}</h2>
        <fieldset className="ranges">
          <legend className="only-read">{words.range}</legend>
          {names.map((name) => (
            <button
              key={name}
              type="button"
              className="button plain small"
              aria-pressed={name === range}
              onClick={() => setSearch(name === usual ? {} : { range: name }, { replace: true })}
            >
              {words.ranges[name]}
            </button>
          ))}
        </fieldset>
      </header>
      <div className="inside chart-space" aria-busy={isPlaceholderData}>
        {error !== null && data === undefined ? <Trouble error={error} again={() => void refetch()} /> : null}
        {data === undefined ? null : hasTimes ? (
          <ResponseChart points={data} isLong={ranges[range] > 86_400} />
        ) : (
          <NoTimes points={data} isHeartbeat={isHeartbeat} />
        )}
      </div>
    </section>
  )
}

interface NoTimesProps {
  readonly points: readonly ResponsePoint[]
  readonly isHeartbeat: boolean
}

/** Why there is nothing to draw: no check, or none with a time. */
function NoTimes({ points, isHeartbeat }: NoTimesProps) {
  const words = useWords(serviceWords)
  const sum = (of: 'checks' | 'errors') => points.reduce((total, point) => total + point[of], 0)
  if (isHeartbeat) return <p className="dim">{words.noRuns}</p>
  if (sum('checks') === 0) return <p className="dim">{words.noChecks}</p>
  return (
    <p className="dim">
      {words.noTimes}{' '}
      <span className="problem">{`${words.checks(sum('checks'))}, ${words.failed(sum('errors'))}.`}</span>
    </p>
  )
}
