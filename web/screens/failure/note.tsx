import { useId, useState } from 'react'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

const maximumLength = 5000

/** What people know of a failure that no station does. */
export function Note({ serviceId, change }: { readonly serviceId: number; readonly change: ShownChange }) {
  const words = useWords(failureWords)
  const id = useId()
  const [text, setText] = useState(change.description)
  const { mutate, isPending, isSuccess, error } = useChange()
  const path = `/services/${serviceId}/history/status_changes/${change.change_id}`
  return (
    <section className="card">
      <header>
        <h2>
          <label htmlFor={id}>{words.note}</label>
        </h2>
      </header>
      {change.permissions.update ? (
        <form
          className="inside stack"
          onSubmit={(event) => {
            event.preventDefault()
            mutate({ method: 'PUT', path, body: { description: text } })
          }}
        >
          <textarea
            id={id}
            rows={3}
            maxLength={maximumLength}
            placeholder={words.noteHint}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <div className="row">
            <button type="submit" className="button" disabled={isPending || text === change.description}>
              {words.save}
            </button>
            <span role="status" className={error === null ? 'hint' : 'problem'}>
              {error?.message ?? (isSuccess && text === change.description ? words.saved : '')}
            </span>
          </div>
        </form>
      ) : (
        <p className="inside prose">{change.description === '' ? '–' : change.description}</p>
      )}
    </section>
  )
}
