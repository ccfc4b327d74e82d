import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { TextField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import { accountWords } from './words.ts'

/** Changes the password; the API ends the other sessions. */
export function PasswordForm() {
  const words = useWords(accountWords)
  const [present, setPresent] = useState('')
  const [wanted, setWanted] = useState('')
  const changing = useChange()
  const body = { current_password: present, new_password: wanted }
  const call = callTo('POST', '/accounts/my_account/change_password', body)
  const send = (settle: () => void) => {
    const onSuccess = () => {
      setPresent('')
      setWanted('')
      settle()
    }
    changing.mutate(call, { onSuccess })
  }
  return (
    <section className="card">
      <header>
        <h2>{words.password}</h2>
      </header>
      <Form
        className="inside stack"
        outcome={changing}
        submit={send}
        call={call}
        action={words.change}
        saved={words.changed}
      >
        <TextField
          label={words.oldPassword}
          name="current_password"
          type="password"
          autoComplete="current-password"
          value={present}
          set={setPresent}
        />
        <TextField
          label={words.newPassword}
          name="new_password"
          type="password"
          autoComplete="new-password"
          value={wanted}
          set={setWanted}
        />
      </Form>
    </section>
  )
}
