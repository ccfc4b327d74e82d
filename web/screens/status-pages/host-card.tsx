import { useQuery } from '@tanstack/react-query'
import type { StatusPage } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { useChange } from '../../parts/use-change.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { leadingRecord, provingRecord, Records } from './host-records.tsx'
import type { ShownPage } from './queries.ts'
import { statusPageWords } from './words.ts'

type Host = Pick<StatusPage, 'host' | 'host_state' | 'host_record' | 'host_checked_at'>

/** Short, because the owner waits on this screen until the DNS record is found. */
const lookMs = 5000

/** The state of the page's own host name, with the DNS records that it needs. Shows nothing without such a name. */
export function HostCard({ page }: { readonly page: ShownPage }) {
  const words = useWords(statusPageWords)
  const format = useFormat()
  const checking = useChange()
  const { data } = useQuery({
    queryKey: ['status_page_host', page.id, page.host],
    queryFn: ({ signal }) =>
      read(`/status_pages/${page.id}?fields=host,host_state,host_record,host_checked_at`, signal),
    enabled: page.host !== null,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? lookMs : false),
  })
  if (page.host === null || data?.host == null || data.host_state === null) return null
  const records = [...provingRecord(data.host_record), leadingRecord(data.host)]
  return (
    <section className="card" aria-labelledby="host">
      <header>
        <h2 id="host">{words.hostNamed(data.host)}</h2>
        {isWaiting(data) && page.permissions['update'] === true ? (
          <button
            type="button"
            className="button small"
            disabled={checking.isPending}
            onClick={() => checking.mutate(callTo('POST', `/status_pages/${page.id}/check_host`))}
          >
            {words.checkHost}
          </button>
        ) : null}
      </header>
      <div className="inside stack">
        <p role="status">
          <b>{words.hostStates[data.host_state]}</b>{' '}
          {data.host_checked_at === null ? null : (
            <span className="dim">{words.hostChecked(format.moment(data.host_checked_at))}</span>
          )}
        </p>
        <Records hint={words.hostRecord} records={records} />
      </div>
    </section>
  )
}

function isWaiting(host: Host | undefined): boolean {
  return host?.host_state === 'waiting' || host?.host_state === 'lapsed'
}
