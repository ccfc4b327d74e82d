import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address } from '../../api/address.ts'
import type { Ping } from '../../api/answers.ts'
import { read, send } from '../../api/client.ts'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { heartbeatWords } from './heartbeat-words.ts'

const longestShown = 20_000
/** No event tells of a ping. */
const everyMs = 5000

/** The last pings of a heartbeat, newest first. */
export function PingList({ id }: { readonly id: number }) {
  const words = useWords(heartbeatWords)
  const { data, error, refetch } = useQuery({
    queryKey: ['pings', id],
    queryFn: ({ signal }) => read(`/services/${id}/pings?limit=100`, signal),
    refetchInterval: everyMs,
  })
  return (
    <div>
      <h3>{words.pings}</h3>
      {data === undefined ? (
        error === null ? (
          <Loading what={words.pings} />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <p className="dim">{words.none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard
        <ol className="pings" tabIndex={0} aria-label={words.pings}>
          {data.map((ping) => (
            <PingRow key={ping.id} service={id} ping={ping} />
          ))}
        </ol>
      )}
    </div>
  )
}

function PingRow({ service, ping }: { readonly service: number; readonly ping: Ping }) {
  const words = useWords(heartbeatWords)
  const format = useFormat()
  const { id, time, kind, exit_status: exit, run_time: run, body_size: size } = ping
  const facts = [
    ...(exit === null ? [] : [words.exitStatus(exit)]),
    ...(run === null ? [] : [words.took(run < 1000 ? `${run} ms` : format.duration(Math.round(run / 1000)))]),
    ping.method,
    ping.ip_address,
    ping.user_agent,
  ]
  return (
    <li>
      <div className="row">
        <time dateTime={time}>{format.moment(time)}</time>
        <strong className={kind === 'fail' ? 'problem' : ''}>{words.kinds[kind]}</strong>
        <span className="dim">{facts.filter((fact) => fact !== '').join(' · ')}</span>
      </div>
      {size === 0 ? null : <Body path={`/services/${service}/pings/${id}/body`} size={size} />}
    </li>
  )
}

/** The bytes are a stranger's: they are shown as plain text and nothing else. */
function Body({ path, size }: { readonly path: Address; readonly size: number }) {
  const words = useWords(heartbeatWords)
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['ping', path],
    queryFn: async ({ signal }) => (await send(path, { signal })).text(),
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.body(size)}</summary>
      {data !== undefined ? (
        <>
          <pre className="ping-body">{data.slice(0, longestShown)}</pre>
          {data.length > longestShown ? <p className="hint">{words.bodyCut}</p> : null}
        </>
      ) : error === null ? (
        <Loading what={words.bodyWhat} />
      ) : (
        <Trouble error={error} again={() => void refetch()} />
      )}
    </details>
  )
}
