import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { heartbeatWords } from './heartbeat-words.ts'

const shown = 5

/** The next moments of a cron line; the library is loaded when somebody writes one. */
async function nextMoments(line: string, zone: string): Promise<readonly string[]> {
  if (line.trim().split(/ +/).length !== 5) return []
  const { Cron } = await import('croner')
  try {
    return new Cron(line.trim(), { timezone: zone, mode: '5-part', paused: true })
      .nextRuns(shown)
      .map((moment) => moment.toISOString())
  } catch {
    // The API says what is wrong with the line when it is saved.
    return []
  }
}

/** @param zone an IANA name, in which the moments are shown too */
export function CronPreview({ line, zone }: { readonly line: string; readonly zone: string }) {
  const words = useWords(heartbeatWords)
  const format = useFormat()
  const { data } = useQuery({
    queryKey: ['cron', line, zone],
    queryFn: () => nextMoments(line, zone),
    enabled: line !== '',
  })
  if (line === '' || data === undefined) return null
  return (
    <div className="field" aria-live="polite">
      <span className="label">{words.next}</span>
      {data.length === 0 ? (
        <p className="problem">{words.noCron}</p>
      ) : (
        <ol className="plain-list">
          {data.map((moment) => (
            <li key={moment}>
              <time dateTime={moment}>{format.moment(moment)}</time>
            </li>
          ))}
        </ol>
      )}
      <p className="hint">{format.zone}</p>
    </div>
  )
}
