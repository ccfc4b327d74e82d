import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { adminWords } from './words.ts'

type Stats = Schemas['system_stats_output']
const everyMs = 10_000

/** The numbers of the whole installation, and what does not work. */
export function SystemState() {
  const words = useWords(adminWords)
  const format = useFormat()
  const { data, error, refetch } = useQuery({
    queryKey: ['system'],
    queryFn: async ({ signal }) => {
      const [stats, state] = await Promise.all([read('/system/stats', signal), read('/system/state', signal)])
      return { stats, state }
    },
    refetchInterval: everyMs,
  })
  if (data === undefined) {
    return error === null ? <Loading what={words.state} /> : <Trouble error={error} again={() => void refetch()} />
  }
  const names = Object.keys(words.numbers) as (keyof Stats)[]
  return (
    <>
      <section className="card">
        <header>
          <h2>{words.state}</h2>
        </header>
        <dl className="inside numbers">
          {names.map((name) => (
            <div key={name}>
              <dt>{words.numbers[name]}</dt>
              <dd>{format.number(data.stats[name])}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="card">
        <header>
          <h2>{words.gateways}</h2>
        </header>
        {data.state.failing_gateways.length === 0 ? (
          <p className="inside row good">
            <Icon name="ok" />
            {words.gatewaysServe}
          </p>
        ) : (
          <ul className="items">
            {data.state.failing_gateways.map(({ id, failing_since, error_message }) => (
              <li key={id}>
                <span className="what">
                  <span className="badge bad">
                    <Icon name="failure" />
                    {id} {words.failingSince(format.moment(failing_since))} ({format.zone})
                  </span>
                  <span>{error_message}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}
