import { useState } from 'react'
import { Problems, TextField } from '../../parts/fields.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import { type UserData, useUserData } from './user-data.ts'
import { accountWords } from './words.ts'

/** How the owner of the account is reached. */
export function ContactForm() {
  const words = useWords(accountWords)
  const { data, error, refetch } = useUserData()
  return (
    <section className="card">
      <header>
        <h2>{words.data}</h2>
      </header>
      {data !== undefined ? (
        <Form data={data} />
      ) : error === null ? (
        <Loading what={words.data} />
      ) : (
        <Trouble error={error} again={() => void refetch()} />
      )}
    </section>
  )
}

function Form({ data }: { readonly data: UserData }) {
  const words = useWords(accountWords)
  const [draft, setDraft] = useState({
    contact_person: data.contact_person,
    email_address: data.email_address,
    phone_number: data.phone_number,
  })
  const [password, setPassword] = useState('')
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const { mutate, isPending, isSuccess, error } = useChange()
  const isMoving = draft.email_address !== data.email_address
  const body = isMoving ? { ...draft, current_password: password } : draft
  return (
    <form
      className="inside stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ method: 'PUT', path: '/user_data/my_user_data', body }, { onSuccess: () => setPassword('') })
      }}
    >
      <Problems error={error}>
        <fieldset className="plain stack" disabled={!data.permissions.update}>
          <TextField
            label={words.contact}
            name="contact_person"
            autoComplete="name"
            value={draft.contact_person}
            set={(contact_person) => set({ contact_person })}
          />
          <TextField
            label={words.email}
            name="email_address"
            type="email"
            autoComplete="email"
            hint={words.emailHint}
            value={draft.email_address}
            set={(email_address) => set({ email_address })}
          />
          {isMoving ? (
            <TextField
              label={words.passwordForEmail}
              name="current_password"
              type="password"
              autoComplete="current-password"
              value={password}
              set={setPassword}
            />
          ) : null}
          <TextField
            label={words.phone}
            name="phone_number"
            type="tel"
            autoComplete="tel"
            value={draft.phone_number}
            set={(phone_number) => set({ phone_number })}
          />
        </fieldset>
      </Problems>
      {data.permissions.update ? (
        <div className="row">
          <button type="submit" className="button" disabled={isPending}>
            {words.save}
          </button>
          <span role="status" className={error === null ? 'hint' : 'problem'}>
            {error?.message ?? (isSuccess ? words.saved : '')}
          </span>
        </div>
      ) : null}
    </form>
  )
}
