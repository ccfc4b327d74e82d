import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { change } from '../../api/calls.ts'
import { type Problem, Refused, read } from '../../api/client.ts'
import { Loading } from '../../parts/loading.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { collection } from './template-queries.ts'
import { templatesWords } from './words.ts'

const pauseAfterTypingMs = 400
/** The part of the log in which the latest message about a service is looked for. */
const rowsOfLog = 50

const conditions = [
  ...(['failure', 'recovery', 'failure_continuation', 'silent_failure', 'pause'] as const),
  ...(['degraded', 'degraded_end', 'test'] as const),
] as const
const latest = 'latest'

interface Worded {
  readonly notification_channel_id: string
  readonly language_id: string
  readonly subject: string
  readonly body: string
}

/** The message as the template words it now; `problems`: why it cannot. */
export function usePreview(template: Worded) {
  const [chosen, choose] = useState<string | null>(null)
  const last = useLatest()
  const about = chosen ?? (last === undefined ? conditions[0] : latest)
  const { notification_channel_id, language_id, subject, body } = useLater(template)
  const asked = {
    ...{ notification_channel_id, language_id, subject, body },
    ...(about !== latest ? { condition: about } : last?.service_id == null ? {} : { service_id: last.service_id }),
  }
  const { data, error } = useQuery({
    queryKey: ['template_preview', asked],
    enabled: subject !== '' || body !== '',
    queryFn: () => change('POST', `${collection}/preview`, asked),
    retry: false,
    placeholderData: (before) => before,
  })
  const problems: readonly Problem[] = error instanceof Refused ? error.problems : []
  return { message: error === null ? data : undefined, error, problems, about, choose, last }
}

/** The latest notification about a service, for those who may read the log. */
function useLatest() {
  const { data } = useQuery({
    queryKey: ['notification_log', 'latest'],
    queryFn: ({ signal }) => read(`/accounts/my_account/logs/notifications?sort=-time&limit=${rowsOfLog}`, signal),
    retry: false,
  })
  return data?.find(({ service_id: id }) => id !== null)
}

function useLater<Value>(value: Value): Value {
  const [later, setLater] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(JSON.parse(key)), pauseAfterTypingMs)
    return () => clearTimeout(timer)
  }, [key])
  return later
}

export function Preview({ message, error, about, choose, last }: ReturnType<typeof usePreview>) {
  const words = useWords(templatesWords)
  const format = useFormat()
  return (
    <section className="card preview" aria-labelledby="preview">
      <header>
        <h2 id="preview">{words.preview}</h2>
      </header>
      <div className="inside stack">
        <label className="field">
          <span className="label">{words.previewOf}</span>
          <select value={about} onChange={({ target }) => choose(target.value)}>
            {last === undefined ? null : (
              <option value={latest}>
                {words.latest(format.shortMoment(last.time))}
                {last.subject === null ? null : `: ${last.subject}`}
              </option>
            )}
            {conditions.map((id) => (
              <option key={id} value={id}>
                {words.conditions[id]}
              </option>
            ))}
          </select>
        </label>
        <p role="status" className="problem">
          {error === null ? null : `${words.noPreview} ${error.message}`}
        </p>
        {message === undefined ? (
          error === null ? (
            <Loading what={words.preview} />
          ) : null
        ) : (
          <article className="message">
            <h3>{message.subject === '' ? words.withoutSubject : message.subject}</h3>
            <p>{message.text}</p>
          </article>
        )}
      </div>
    </section>
  )
}
