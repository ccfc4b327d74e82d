import { Refused, Unreachable } from '../api/client.ts'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { partWords } from './words.ts'
import './notices.css'

/** Why something could not be read, and a way to try again. */
export function Trouble({ error, again }: { readonly error: unknown; readonly again?: (() => void) | undefined }) {
  const words = useWords(partWords)
  const status = error instanceof Refused ? error.status : 0
  const isFinal = status === 403 || status === 404
  const text =
    error instanceof Unreachable
      ? words.unreachable
      : status === 403
        ? words.forbidden
        : status === 404
          ? words.gone
          : words.failed
  return (
    <div className="trouble" role="alert">
      <Icon name="warning" />
      <p>
        {text} {error instanceof Refused && !isFinal ? error.message : null}
      </p>
      {again === undefined || isFinal ? null : (
        <button type="button" className="button small" onClick={again}>
          {words.again}
        </button>
      )}
    </div>
  )
}
