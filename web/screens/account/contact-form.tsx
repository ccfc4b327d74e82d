import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { TextField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useEditing } from '../../parts/use-editing.ts'
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
        <ContactFields data={data} />
      ) : error === null ? (
        <Loading what={words.data} />
      ) : (
        <Trouble error={error} again={() => void refetch()} />
      )}
    </section>
  )
}

function draftOf({ contact_person, email_address, phone_number }: Omit<UserData, 'permissions'>) {
  return { contact_person, email_address, phone_number }
}

function ContactFields({ data }: { readonly data: UserData }) {
  const words = useWords(accountWords)
  const [draft, setDraft] = useState(() => draftOf(data))
  const [password, setPassword] = useState('')
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const isMoving = draft.email_address !== data.email_address
  const path = '/user_data/my_user_data'
  const bodyOf = (state: typeof draft) => (isMoving ? { ...state, current_password: password } : state)
  const { saving, send, resolvingFor, beginAgain } = useEditing({
    ...{ path, state: draft, set: setDraft, read: draftOf },
    body: bodyOf,
  })
  const done = (settle: () => void) => {
    setPassword('')
    settle()
    void beginAgain()
  }
  return (
    <Form
      className="inside stack"
      outcome={saving}
      submit={(settle) => send(() => done(settle))}
      resolving={resolvingFor(done)}
      call={callTo('PUT', path, bodyOf(draft))}
      action={data.permissions.update ? words.save : null}
      saved={words.saved}
    >
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
    </Form>
  )
}
