import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/client.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { useTerms } from '../../parts/terms.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { heartbeatWords } from './heartbeat-words.ts'
import { PingList } from './ping-list.tsx'
import type { ShownService } from './service-query.ts'

/** No event tells of a ping. */
const everyMs = 5000

/** When the job runs, in the line of the crontab of a service that has none. */
const standardCron = '30 2 * * *'

/** Lines that a job's owner pastes; each reports to the address. */
function snippetsOf(url: string, cron: string) {
  const push = url.replace(/\/ping\/([^/]+)$/, '/api/push/$1')
  return {
    curl: `curl -fsS -m 10 --retry 5 -o /dev/null ${url}`,
    run: `curl -fsS -m 10 --retry 5 -o /dev/null ${url}/start\n/usr/local/bin/backup\ncurl -fsS -m 10 --retry 5 -o /dev/null ${url}/$?`,
    crontab: `${cron} /usr/local/bin/backup && curl -fsS -m 10 --retry 5 -o /dev/null ${url}`,
    python: `import urllib.request\nurllib.request.urlopen("${url}", timeout=10)`,
    kuma: `curl -fsS "${push}?status=up&msg=OK&ping="`,
  } as const
}

const order = ['curl', 'run', 'crontab', 'python', 'kuma'] as const

/** Where a heartbeat reports in, lines that do it, and what came last. */
export function Heartbeat({ service }: { readonly service: ShownService }) {
  const words = useWords(heartbeatWords)
  const { id, ping_url: url, extended_settings: settings } = service
  const { cron } = settings as { readonly cron?: string | null }
  return (
    <section className="card heartbeat" aria-labelledby="heartbeat">
      <header>
        <h2 id="heartbeat">{words.title}</h2>
      </header>
      <div className="inside stack">
        <Rhythm service={service} />
        {url === null ? (
          <p className="dim">{words.hidden}</p>
        ) : (
          <>
            <div>
              <h3>{words.address}</h3>
              <div className="row">
                <code>{url}</code>
                <CopyButton text={url} />
              </div>
            </div>
            <Snippets url={url} cron={cron ?? standardCron} />
          </>
        )}
        <PingList id={id} />
      </div>
    </section>
  )
}

interface Schedule {
  readonly period?: number | null
  readonly cron?: string | null
  readonly time_zone?: string | null
  readonly grace?: number | null
  readonly max_run_time?: number | null
}

/** Why no moment is known at which the next report is expected (`src/domain/services/heartbeat.ts`). */
function unknownNext({ status }: ShownService): 'noNext' | 'firstNext' | 'successNext' {
  if (status?.monitoring_status !== 'on') return 'noNext'
  if (status.summary === 'failure') return 'successNext'
  return status.last_analysis_time === null ? 'firstNext' : 'noNext'
}

/** When it reports in, how late it may be, and when the next report is expected. */
function Rhythm({ service }: { readonly service: ShownService }) {
  const words = useWords(heartbeatWords)
  const format = useFormat()
  const zones = useTerms('time_zones')
  const { id, status, extended_settings: settings } = service
  const { period, cron, time_zone: zone, grace, max_run_time: longest } = settings as Schedule
  const { data } = useQuery({
    queryKey: ['next_analysis', id, service.is_active, status?.monitoring_status, status?.last_analysis_time, settings],
    queryFn: ({ signal }) => read(`/services/${id}/next_analysis`, signal),
    refetchInterval: everyMs,
  })
  const zoneName = zones.find((term) => term.id === zone)?.name ?? words.ownersZone
  const next = data?.expected_at ?? null
  return (
    <dl className="facts">
      <dt>{words.rhythm}</dt>
      <dd>
        {cron == null ? (
          period == null ? null : (
            words.period(format.duration(period))
          )
        ) : (
          <>
            <code className="cron">{cron}</code> <span className="dim">({zoneName})</span>
          </>
        )}
        {grace == null || grace === 0 ? null : `, ${words.grace(format.duration(grace))}`}
      </dd>
      {longest == null ? null : (
        <>
          <dt>{words.longestRun}</dt>
          <dd>{format.duration(longest)}</dd>
        </>
      )}
      <dt>{words.next}</dt>
      <dd>
        {next === null ? (
          words[unknownNext(service)]
        ) : (
          <>
            <time dateTime={next}>{format.moment(next)}</time>{' '}
            <span className="dim">({format.ago(next, Date.now())})</span>
          </>
        )}
      </dd>
    </dl>
  )
}

function Snippets({ url, cron }: { readonly url: string; readonly cron: string }) {
  const words = useWords(heartbeatWords)
  const snippets = snippetsOf(url, cron)
  return (
    <details>
      <summary>{words.how}</summary>
      <dl className="snippets">
        {order.map((name) => (
          <div key={name}>
            <dt>{words.snippets[name]}</dt>
            <dd>
              <pre>
                <code>{snippets[name]}</code>
              </pre>
              <CopyButton text={snippets[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
