import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { read } from '../../api/client.ts'
import { Bars } from '../../parts/bars.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { serviceWords } from './words.ts'

/** `range` is the name of the same range in the address of the service level's page. */
const ranges = [
  { name: 'day', range: 'day', seconds: 86_400 },
  { name: 'week', range: 'week', seconds: 7 * 86_400 },
  { name: 'month', range: 'days30', seconds: 30 * 86_400 },
  { name: 'quarter', range: 'days90', seconds: 90 * 86_400 },
  { name: 'year', range: 'year', seconds: 365 * 86_400 },
] as const
const staleMs = 60_000
/** A level with data for less than this share of its range names that time. */
const wholeShare = 0.9

/** Seconds in each state. */
interface ServiceLevel {
  readonly ok: number
  readonly failure: number
  readonly paused: number
}

/** The share of good seconds in ranges that end now, and the last 90 days. */
export function Levels({ id }: { readonly id: number }) {
  const words = useWords(serviceWords)
  const levels = useQueries({
    queries: ranges.map(({ seconds }) => ({
      queryKey: ['service_level', id, seconds],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        read(`/services/${id}/history/service_level?from=-${seconds}`, signal),
      staleTime: staleMs,
      refetchInterval: staleMs,
    })),
  })
  const bars = useQuery({
    queryKey: ['history_bars', 90, [id]],
    queryFn: ({ signal }) => read(`/services/history_bars?id=${id}&days=90`, signal),
    staleTime: staleMs,
  })
  return (
    <section className="card" aria-labelledby="level">
      <header>
        <h2 id="level">{words.level}</h2>
        <Link href={`/services/${id}/service-level`}>{words.levelDetails}</Link>
      </header>
      <ul className="levels">
        {ranges.map(({ name, range, seconds }, at) => (
          <Level
            key={name}
            name={words.levels[name]}
            to={`/services/${id}/service-level?range=${range}`}
            seconds={seconds}
            level={levels[at]?.data}
          />
        ))}
      </ul>
      <div className="inside">
        <p className="hint">{words.days}</p>
        <Bars days={bars.data?.[0]?.days} count={90} />
      </div>
    </section>
  )
}

interface LevelProps {
  readonly name: string
  /** Where every second of it is accounted for. */
  readonly to: string
  readonly seconds: number
  readonly level: ServiceLevel | undefined
}

function Level({ name, to, seconds, level }: LevelProps) {
  const words = useWords(serviceWords)
  const format = useFormat()
  const known = level === undefined ? 0 : level.ok + level.failure
  const isWhole = known >= wholeShare * seconds
  return (
    <li>
      <Link href={to}>{name}</Link>
      <b>{level === undefined ? '…' : known === 0 ? '–' : format.percent(level.ok / known)}</b>
      <span className={level !== undefined && level.failure > 0 ? 'problem' : 'hint'}>
        {level === undefined
          ? ' '
          : known === 0
            ? words.notMonitored
            : words.levelParts(
                level.failure === 0 ? '' : format.duration(level.failure),
                isWhole ? '' : format.duration(known),
              )}
      </span>
    </li>
  )
}
