import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { installationWords } from './words.ts'

const everyMs = 15_000

/** How the files of `CONFIG_DIR` were applied; nothing without such a directory. */
export function WatchedDirectory() {
  const words = useWords(installationWords).directory
  const format = useFormat()
  const { data } = useQuery({
    queryKey: ['installation', 'directory'],
    queryFn: ({ signal }) => read('/system/configuration', signal),
    refetchInterval: everyMs,
  })
  if (data === undefined || data.directory === null || data.result === null) return null
  const { directory, account, result, ended_at: endedAt, succeeded_at: succeededAt, faults } = data
  return (
    <section className="card">
      <header>
        <h2>{words.title}</h2>
        <span className="hint">{words.text(directory, account ?? '')}</span>
      </header>
      <p className={result === 'applied' ? 'inside' : 'notice bad'}>
        {words.results[result]} {endedAt === null ? null : <Ago moment={endedAt} />}
        {result === 'applied' || succeededAt === null ? null : (
          <>
            {' · '}
            {words.succeeded} <Ago moment={succeededAt} />
          </>
        )}
      </p>
      <p className="inside dim">
        {[
          [words.files, data.files],
          [words.changed, data.changed],
          [words.unchanged, data.unchanged],
          [words.failed, data.failed],
          [words.left, data.left],
        ]
          .map(([name, number]) => `${name}: ${format.number(Number(number))}`)
          .join(' · ')}
      </p>
      {faults.length === 0 ? null : (
        <ul className="items">
          {faults.map(({ file, line, pointer, message }) => (
            <li key={`${file} ${line} ${pointer} ${message}`}>
              <span className="what">
                <b>{pointer}</b>
                <span>{message}</span>
                {file === null ? null : <code className="dim">{line === null ? file : `${file}:${line}`}</code>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
