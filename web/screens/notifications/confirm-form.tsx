import { useState } from 'react'
import { useChange } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/words.ts'
import type { ShownAddress } from './address-queries.ts'
import { notificationsWords } from './words.ts'

/** Takes the code that was sent to an address; only then it is told anything. */
export function ConfirmForm({ address, close }: { readonly address: ShownAddress; readonly close: () => void }) {
  const words = useWords(notificationsWords)
  const parts = useWords(partWords)
  const [code, setCode] = useState('')
  const [said, setSaid] = useState('')
  const { mutate, isPending, error } = useChange()
  const path = `/notification_addresses/${address.id}`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ method: 'POST', path: `${path}/confirm`, body: { code: code.trim() } }, { onSuccess: close })
      }}
    >
      <h2 id={`confirm-${address.id}`}>{words.confirmTitle}</h2>
      <p>{(address.warnings.length === 0 ? words.confirmText : words.noCode)(address.address)}</p>
      <label className="field">
        {words.code}
        <input
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </label>
      <p role="status" className={error === null ? 'hint' : 'problem'}>
        {error?.message ?? said}
      </p>
      <div className="row">
        <button type="submit" className="button primary" disabled={isPending}>
          {words.confirm}
        </button>
        <button
          type="button"
          className="button"
          disabled={isPending}
          onClick={() =>
            mutate(
              { method: 'POST', path: `${path}/send_confirmation_code` },
              { onSuccess: () => setSaid(words.codeSent) },
            )
          }
        >
          {words.sendCode}
        </button>
        <button type="button" className="button plain" onClick={close}>
          {parts.cancel}
        </button>
      </div>
    </form>
  )
}
