import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { Loading } from '../../parts/loading.tsx'
import type { ShownCheck } from '../../parts/round-checks.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { type HarRow, kindsOf, phases, readHar } from './har.ts'
import { checkPath } from './use-failure.ts'
import { failureWords } from './words.ts'

/**
 * The requests of a page over time: the start of each, and its phases. The keyboard reaches rows and opens their
 * details.
 */
export function Waterfall({ check }: { readonly check: ShownCheck }) {
  const words = useWords(failureWords)
  const [isFailedOnly, setFailedOnly] = useState(false)
  const [kind, setKind] = useState('')
  const { data, error } = useQuery({
    queryKey: ['har', checkPath(check)],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      readHar(await (await send(`${checkPath(check)}/artifacts/har/plain`, { signal })).text()),
  })
  if (error !== null) return <p className="problem">{words.noHar}</p>
  if (data === undefined) return <Loading what={words.har} />
  const rows = data.filter((row) => (!isFailedOnly || row.isFailed) && (kind === '' || row.kind === kind))
  const whole = Math.max(1, ...data.map(({ start, total }) => start + total))
  return (
    <div className="waterfall">
      <div className="row">
        <span role="status">{words.requests(rows.length)}</span>
        <label className="row">
          <input type="checkbox" checked={isFailedOnly} onChange={({ target }) => setFailedOnly(target.checked)} />
          {words.onlyFailed}
        </label>
        <select aria-label={words.kind} value={kind} onChange={({ target }) => setKind(target.value)}>
          <option value="">{words.everyKind}</option>
          {kindsOf(data).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <ul className="phase-keys">
        {phases.map((phase) => (
          <li key={phase} className={`phase ${phase}`}>
            {phase}
          </li>
        ))}
      </ul>
      <ol className="requests">
        {rows.map((row) => (
          <li key={row.number}>
            <Request row={row} whole={whole} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Request({ row, whole }: { readonly row: HarRow; readonly whole: number }) {
  const words = useWords(failureWords)
  const format = useFormat()
  const percent = (value: number) => `${(value / whole) * 100}%`
  return (
    <details className={row.isFailed ? 'bad' : ''}>
      <summary>
        <span className="request-name" title={row.url}>
          {row.name}
        </span>
        <span className={row.isFailed ? 'problem' : 'dim'}>{row.status === 0 ? words.statusFailed : row.status}</span>
        <span className="bar-space">
          <span className="request-bar" style={{ left: percent(row.start), width: percent(row.total) }}>
            {phases.map((phase) =>
              row.timings[phase] > 0 ? (
                <span key={phase} className={`phase ${phase}`} style={{ flexGrow: row.timings[phase] }} />
              ) : null,
            )}
          </span>
        </span>
        <span className="dim request-time">{format.milliseconds(row.total)}</span>
      </summary>
      <dl className="facts">
        <dt>{words.address}</dt>
        <dd className="mono">{row.url}</dd>
        <dt>{words.method}</dt>
        <dd>{row.method}</dd>
        <dt>{words.kind}</dt>
        <dd>{row.kind}</dd>
        <dt>{words.size}</dt>
        <dd>{row.size === null ? '–' : format.bytes(row.size)}</dd>
        <dt>{words.time}</dt>
        <dd>
          {phases
            .filter((phase) => row.timings[phase] > 0)
            .map((phase) => `${phase} ${format.milliseconds(row.timings[phase])}`)
            .join(' · ')}
        </dd>
        {row.problem === '' ? null : (
          <>
            <dt>{words.message}</dt>
            <dd className="problem">{row.problem}</dd>
          </>
        )}
      </dl>
    </details>
  )
}
