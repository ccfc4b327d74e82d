import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { change } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { logOut } from '../../api/session.ts'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { Program } from './program.tsx'
import { accountWords } from './words.ts'

/** Every session of the login; each can be ended from here. */
export function Sessions() {
  const words = useWords(accountWords)
  const format = useFormat()
  const client = useQueryClient()
  const [failed, setFailed] = useState<unknown>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => {
      const [own, all] = await Promise.all([
        read('/sessions/my_session', signal),
        read('/sessions?sort=-created_at&limit=1000', signal),
      ])
      return { own: own.id, all }
    },
  })
  const end = async (ids: readonly string[]) => {
    setFailed(null)
    let isDone = true
    try {
      for (const id of ids) await change('DELETE', `/sessions/${id}`)
    } catch (reason) {
      isDone = false
      setFailed(reason)
    }
    await client.invalidateQueries({ queryKey: ['sessions'] })
    return isDone
  }
  const others = data?.all.filter(({ id }) => id !== data.own) ?? []
  return (
    <section className="card" aria-labelledby="sessions">
      <header>
        <div className="row">
          <h2 id="sessions">{words.sessions}</h2>
          <span className="hint">{format.zone}</span>
        </div>
        <div className="row">
          {others.length === 0 ? null : (
            <button type="button" className="button small" onClick={() => void end(others.map(({ id }) => id))}>
              {words.endOthers}
            </button>
          )}
          <button
            type="button"
            className="button small"
            onClick={() => void end(others.map(({ id }) => id)).then((ended) => (ended ? logOut() : undefined))}
          >
            {words.endAll}
          </button>
        </div>
      </header>
      {failed === null ? null : <Trouble error={failed} />}
      {data === undefined ? (
        error === null ? (
          <Loading what={words.sessions} />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : (
        <ul className="sessions">
          {data.all.map(({ id, created_at, expiration_time, user_agent }) => (
            <li key={id}>
              <Program text={user_agent} />
              <span className="dim">
                {format.moment(created_at)}, {words.until(format.moment(expiration_time))}
              </span>
              {id === data.own ? (
                <b>{words.thisSession}</b>
              ) : (
                <button type="button" className="button small" onClick={() => void end([id])}>
                  {words.end}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
