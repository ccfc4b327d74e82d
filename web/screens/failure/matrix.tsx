import { useEffect, useRef, useState } from 'react'
import type { Analysis } from '../../api/answers.ts'
import { useErrorText } from '../../parts/heartbeat-reason.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { isOfRegistry, type ShownCheck } from '../../parts/round-checks.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownService } from '../service/service-query.ts'
import { roundsOfPage, useRounds } from './use-failure.ts'
import { failureWords } from './words.ts'

interface MatrixProps {
  readonly service: ShownService
  readonly around: { readonly from: string; readonly to: string | null } | null
  /** The round whose evidence is shown. */
  readonly chosen: string | undefined
  readonly choose: (analysis: Analysis) => void
}

/** Stations by rounds: who agreed with whom, and what was judged of it. */
export function Matrix({ service, around, chosen, choose }: MatrixProps) {
  const words = useWords(failureWords)
  const [page, setPage] = useState(0)
  const range = around === null ? null : { ...around, interval: service.interval }
  const { data, error, refetch } = useRounds(service.id, range, page)
  const total = data?.analyses.total ?? 0
  return (
    <section className="card" aria-labelledby="matrix">
      <header>
        <div>
          <h2 id="matrix">{words.matrix}</h2>
          <p className="hint">{words.matrixHint}</p>
        </div>
        {total <= roundsOfPage ? null : (
          <div className="row">
            <button type="button" className="button small" disabled={page === 0} onClick={() => setPage(page - 1)}>
              <Icon name="left" />
              {words.earlier}
            </button>
            <button
              type="button"
              className="button small"
              disabled={(page + 1) * roundsOfPage >= total}
              onClick={() => setPage(page + 1)}
            >
              {words.later}
              <Icon name="right" />
            </button>
          </div>
        )}
      </header>
      {data === undefined ? (
        <div className="inside">
          {error === null ? <Loading what={words.matrix} /> : <Trouble error={error} again={() => void refetch()} />}
        </div>
      ) : total === 0 ? (
        <p className="inside dim">{words.noRounds}</p>
      ) : (
        <Rounds analyses={data.analyses.rows} checks={data.checks} chosen={chosen} choose={choose} />
      )}
    </section>
  )
}

interface RoundsProps extends Pick<MatrixProps, 'chosen' | 'choose'> {
  readonly analyses: readonly Analysis[]
  readonly checks: readonly ShownCheck[]
}

function verdictOf({ failure, ok_checks_count, error_checks_count }: Analysis): 'failure' | 'ok' | 'unknown' {
  if (failure) return 'failure'
  return ok_checks_count + error_checks_count === 0 ? 'unknown' : 'ok'
}

function Rounds({ analyses, checks, chosen, choose }: RoundsProps) {
  const words = useWords(failureWords)
  const format = useFormat()
  const errorText = useErrorText()
  const [stations, results] = tabulate(checks, checks.some(isOfRegistry) ? words.registry : words.job)
  const clocks = format.clocks(analyses.map(({ time }) => time))
  const space = useRef<HTMLDivElement>(null)
  const choice = useRef<HTMLTableCellElement>(null)
  // Only the table moves, never the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page of rounds is scrolled to its choice as well
  useEffect(() => {
    const [box, column] = [space.current, choice.current]
    if (box === null || column === null) return
    const isSeen =
      column.offsetLeft > box.scrollLeft && column.offsetLeft + column.offsetWidth < box.scrollLeft + box.clientWidth
    if (!isSeen) box.scrollLeft = column.offsetLeft - box.clientWidth / 2
  }, [analyses, chosen])
  return (
    <div ref={space} className="matrix-space">
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">
              {words.station}
              <span className="only-read">, {words.verdictRow}</span>
            </th>
            {analyses.map((analysis, index) => {
              const verdict = verdictOf(analysis)
              const isChosen = analysis.analysis_id === chosen
              return (
                <th key={analysis.analysis_id} scope="col" ref={isChosen ? choice : undefined}>
                  <button
                    type="button"
                    aria-pressed={isChosen}
                    aria-label={words.verdictOf(format.moment(analysis.time), words.verdicts[verdict])}
                    title={words.verdictOf(format.moment(analysis.time), words.verdicts[verdict])}
                    onClick={() => choose(analysis)}
                  >
                    {clocks[index]}
                    <span className={`cell ${verdict}`}>{signOf(verdict)}</span>
                  </button>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {[...stations].map(([id, name]) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {analyses.map(({ analysis_id, time }) => {
                const result = results.get(`${analysis_id} ${id}`)
                return (
                  <td key={analysis_id} className={analysis_id === chosen ? 'chosen' : ''}>
                    {result === undefined ? null : (
                      <span
                        className={`cell ${result.result}`}
                        title={words.cell(name, format.clock(time), errorText(result) ?? words.results[result.result])}
                      >
                        {signOf(result.result)}
                        <span className="only-read">{words.results[result.result]}</span>
                      </span>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function signOf(result: 'ok' | 'error' | 'failure' | 'unknown'): string {
  return { ok: '✓', error: '✕', failure: '✕', unknown: '?' }[result]
}

/** The stations by name, and each result by round and station; `core` is the name of a check without a station. */
function tabulate(checks: readonly ShownCheck[], core: string) {
  const stations = new Map(
    checks
      .map(({ sensor_id: id, sensor }) => [id, sensor?.name ?? (id === null ? core : String(id))] as const)
      .toSorted(([, one], [, other]) => one.localeCompare(other)),
  )
  const results = new Map(checks.map((check) => [`${check.analysis_id} ${check.sensor_id}`, check]))
  return [stations, results] as const
}
