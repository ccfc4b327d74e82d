import { useId, useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { Form } from '../../parts/form.tsx'
import { useEditing } from '../../parts/use-editing.ts'
import { useWords } from '../../words/words.ts'
import type { ShownChange } from './use-failure.ts'
import { failureWords } from './words.ts'

const maximumLength = 5000

/** People's own knowledge about a failure. */
export function Note({ serviceId, change }: { readonly serviceId: number; readonly change: ShownChange }) {
  const words = useWords(failureWords)
  const id = useId()
  const [text, setText] = useState(change.description)
  const path = `/services/${serviceId}/history/status_changes/${change.change_id}` as const
  const { saving, send, resolvingFor, beginAgain } = useEditing({
    ...{ path, state: text, set: setText },
    read: ({ description }: { readonly description: string }) => description,
    body: (description) => ({ description }),
  })
  const done = (settle: () => void) => {
    settle()
    void beginAgain()
  }
  return (
    <section className="card">
      <header>
        <h2>
          <label htmlFor={id}>{words.note}</label>
        </h2>
      </header>
      {change.permissions.update ? (
        <Form
          className="inside stack"
          outcome={saving}
          submit={(settle) => send(() => done(settle))}
          resolving={resolvingFor(done)}
          call={callTo('PUT', path, { description: text })}
          action={words.save}
          isReady={text !== change.description}
          isUnsaved={text !== change.description}
          saved={words.saved}
        >
          <textarea
            id={id}
            rows={3}
            maxLength={maximumLength}
            placeholder={words.noteHint}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Form>
      ) : (
        <p className="inside prose">{change.description === '' ? '–' : change.description}</p>
      )}
    </section>
  )
}
