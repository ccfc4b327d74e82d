import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/words.ts'
import { reportWords } from './words.ts'

interface RemoveProps {
  readonly path: string
  readonly name: string
  readonly text: string
  readonly close: () => void
}

/** Asks before something is deleted. */
export function RemoveForm({ path, name, text, close }: RemoveProps) {
  const words = useWords(reportWords)
  const parts = useWords(partWords)
  const { mutate, isPending, error } = useChange()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ method: 'DELETE', path }, { onSuccess: close })
      }}
    >
      <h2 id="dialog-title">{words.removeTitle(name)}</h2>
      <p>{text}</p>
      {error === null ? null : (
        <p className="problem" role="alert">
          {error.message}
        </p>
      )}
      <div className="row">
        <button type="submit" className="button danger" disabled={isPending}>
          {words.remove}
        </button>
        <button type="button" className="button" onClick={close}>
          {parts.cancel}
        </button>
      </div>
    </form>
  )
}
