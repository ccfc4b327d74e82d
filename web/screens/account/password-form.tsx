import { useState } from 'react'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import { accountWords } from './words.ts'

/** Changes the password; the API ends the other sessions. */
export function PasswordForm() {
  const words = useWords(accountWords)
  const [present, setPresent] = useState('')
  const [wanted, setWanted] = useState('')
  const { mutate, isPending, isSuccess, error } = useChange()
  const body = { current_password: present, new_password: wanted }
  const done = () => {
    setPresent('')
    setWanted('')
  }
  return (
    <section className="card">
      <header>
        <h2>{words.password}</h2>
      </header>
      <form
        className="inside stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate({ method: 'POST', path: '/accounts/my_account/change_password', body }, { onSuccess: done })
        }}
      >
        <label className="field">
          {words.oldPassword}
          <input
            type="password"
            autoComplete="current-password"
            required
            value={present}
            onChange={({ target }) => setPresent(target.value)}
          />
        </label>
        <label className="field">
          {words.newPassword}
          <input
            type="password"
            autoComplete="new-password"
            required
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
        </label>
        <div className="row">
          <button type="submit" className="button" disabled={isPending}>
            {words.change}
          </button>
          <span role="status" className={error === null ? 'hint' : 'problem'}>
            {error?.message ?? (isSuccess && wanted === '' ? words.changed : '')}
          </span>
        </div>
      </form>
    </section>
  )
}
