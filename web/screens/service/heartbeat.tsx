import { CopyButton } from '../../parts/copy-button.tsx'
import { useWords } from '../../words/words.ts'
import { heartbeatWords } from './heartbeat-words.ts'
import { PingList } from './ping-list.tsx'
import type { ShownService } from './service-query.ts'

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
