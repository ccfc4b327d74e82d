import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import type { Check, RowAt } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { welcomeWords } from './words.ts'

const lookEveryMs = 700

interface VerdictProps {
  readonly service: { readonly id: number; readonly name: string }
  readonly onJudged: () => void
  /** Further actions. */
  readonly children: ReactNode
}

const embedded = 'embed=sensor.id,sensor.name'
type Said = RowAt<`/services/${number}/history/analyses/${number}/checks?${typeof embedded}`>

/** The first round of a service, station by station. */
export function FirstVerdict({ service: { id, name }, onJudged, children }: VerdictProps) {
  const words = useWords(welcomeWords)
  const checks = useFirstChecks(id)
  const isJudged = checks !== null
  useEffect(() => {
    if (isJudged) onJudged()
  }, [isJudged, onJudged])
  return (
    <>
      <p role="status">{checks === null ? words.asked(name) : sentence(words, name, checks)}</p>
      {checks === null ? null : <Answers checks={checks} />}
      <div className="row">
        <Link href={`/services/${id}`} className="button">
          {words.see}
        </Link>
        <Link href={`/services/${id}/edit`} className="button plain">
          {words.change}
        </Link>
        {children}
      </div>
    </>
  )
}

function Answers({ checks }: { readonly checks: readonly Said[] }) {
  const words = useWords(welcomeWords)
  const format = useFormat()
  return (
    <ul className="answers" aria-label={words.answers}>
      {checks.map(({ sensor_id, sensor, result, response_time, error_message }) => (
        <li key={sensor_id}>
          <span className={`state ${stateOf(result)}`}>
            <Icon name={stateOf(result)} /> {words.results[result]}
          </span>
          <b>{sensor?.name}</b>
          <span className="dim">
            {error_message ?? (response_time === null ? '' : format.milliseconds(response_time))}
          </span>
        </li>
      ))}
    </ul>
  )
}

function stateOf(result: Check['result']): 'ok' | 'failure' | 'unknown' {
  return result === 'error' ? 'failure' : result
}

function sentence(words: (typeof welcomeWords)['en'], name: string, checks: readonly Said[]): string {
  const ok = checks.filter(({ result }) => result === 'ok').length
  if (ok * 2 > checks.length) return words.up(name, ok)
  return checks.some(({ result }) => stateOf(result) === 'failure') ? words.down(name) : words.unclear(name)
}

/** Null until the stations have been asked once. */
function useFirstChecks(id: number): readonly Said[] | null {
  const { data = null } = useQuery({
    queryKey: ['first_checks', id],
    queryFn: ({ signal }) => readChecks(id, signal),
    refetchInterval: ({ state }) => (state.data == null ? lookEveryMs : false),
  })
  return data
}

async function readChecks(id: number, signal: AbortSignal): Promise<readonly Said[] | null> {
  const path = `/services/${id}/history/analyses` as const
  const [round] = await read(`${path}?fields=analysis_id&limit=1`, signal)
  if (round === undefined) return null
  return read(`${path}/${round.analysis_id}/checks?${embedded}&limit=100`, signal)
}
