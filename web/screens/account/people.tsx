import { useState } from 'react'
import type { Account } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { CheckField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Listing } from '../../parts/listing.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { peopleWords } from './people-words.ts'

type Person = Account & { readonly permissions: { readonly update: boolean; readonly delete: boolean } }
type Act = 'edit' | 'password' | 'factor' | 'remove'

/** The sub-accounts: what each may do, as a sentence. */
export function People() {
  const words = useWords(peopleWords)
  const { account } = useReader()
  const [isAdding, setAdding] = useState(false)
  const [open, setOpen] = useState<{ readonly act: Act; readonly person: Person } | null>(null)
  const acts = [
    ['edit', words.edit],
    ['password', words.setPassword],
    ['factor', words.endFactor],
  ] as const
  return (
    <section className="card">
      <header>
        <h2>{words.people}</h2>
        {account.permissions?.['create_subaccounts'] === true ? (
          <button type="button" className="button small" onClick={() => setAdding(true)}>
            <Icon name="add" />
            {words.add}
          </button>
        ) : null}
      </header>
      <p className="inside dim">{words.about}</p>
      <Listing
        path={`/accounts?parent_account_id=${account.id}&sort=username&embed=permissions`}
        what={words.people}
        empty={words.none}
        canSearch
      >
        {(rows) => (
          <ul className="items">
            {rows.map((person) => (
              <li key={person.id}>
                <span className="what">
                  <b>{person.name || person.username}</b>
                  <span>{person.is_read_only ? words.reads : words.changes}</span>
                  <span className="dim">{person.username}</span>
                  {person.is_blocked ? <span className="problem">{words.blocked}</span> : null}
                </span>
                <span className="row">
                  {person.permissions.update
                    ? acts.map(([act, name]) => (
                        <button
                          key={act}
                          type="button"
                          className="button small"
                          onClick={() => setOpen({ act, person })}
                        >
                          {name}
                        </button>
                      ))
                    : null}
                  {person.permissions.delete ? (
                    <button
                      type="button"
                      className="button small danger"
                      onClick={() => setOpen({ act: 'remove', person })}
                    >
                      {words.remove}
                    </button>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listing>
      {isAdding ? <AddPerson closed={() => setAdding(false)} /> : null}
      {open === null ? null : <Act {...open} closed={() => setOpen(null)} />}
    </section>
  )
}

function AddPerson({ closed }: { readonly closed: () => void }) {
  const words = useWords(peopleWords)
  const [draft, setDraft] = useState({ username: '', name: '', email: '', password: '', isReadOnly: true })
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const { username, name, email, password, isReadOnly } = draft
  const body = { username, name, password, is_read_only: isReadOnly, user_data: { email_address: email } }
  return (
    <FormDialog
      title={words.addTitle}
      action={words.add}
      request={() => callTo('POST', '/accounts', body)}
      closed={closed}
    >
      <TextField label={words.username} name="username" value={username} set={(text) => set({ username: text })} />
      <TextField label={words.name} name="name" value={name} set={(text) => set({ name: text })} />
      <TextField
        label={words.email}
        name="user_data.email_address"
        type="email"
        value={email}
        set={(text) => set({ email: text })}
      />
      <TextField
        label={words.password}
        name="password"
        type="password"
        autoComplete="new-password"
        value={password}
        set={(text) => set({ password: text })}
      />
      <CheckField label={words.readsOnly} checked={isReadOnly} set={(checked) => set({ isReadOnly: checked })} />
    </FormDialog>
  )
}

interface ActProps {
  readonly act: Act
  readonly person: Person
  readonly closed: () => void
}

function Act({ act, person, closed }: ActProps) {
  const words = useWords(peopleWords)
  const [name, setName] = useState(person.name)
  const [isReadOnly, setReadOnly] = useState(person.is_read_only)
  const [password, setPassword] = useState('')
  const path = `/accounts/${person.id}` as const
  const called = person.name || person.username
  if (act === 'edit') {
    return (
      <FormDialog
        title={words.editTitle(called)}
        action={words.save}
        request={() => callTo('PUT', path, { name, is_read_only: isReadOnly })}
        closed={closed}
      >
        <TextField label={words.name} name="name" value={name} set={setName} />
        <CheckField label={words.readsOnly} checked={isReadOnly} set={setReadOnly} />
      </FormDialog>
    )
  }
  if (act === 'password') {
    return (
      <FormDialog
        title={words.setPassword}
        action={words.save}
        isReady={password !== ''}
        request={() => callTo('POST', `${path}/change_password`, { new_password: password })}
        closed={closed}
      >
        <p>{called}</p>
        <TextField
          label={words.password}
          name="new_password"
          type="password"
          autoComplete="new-password"
          value={password}
          set={setPassword}
        />
      </FormDialog>
    )
  }
  const isRemoval = act === 'remove'
  return (
    <FormDialog
      title={isRemoval ? words.removeTitle(called) : words.endFactor}
      action={isRemoval ? words.remove : words.endFactor}
      isDangerous
      request={() => (isRemoval ? callTo('DELETE', path) : callTo('POST', `${path}/2fa/disable`, {}))}
      closed={closed}
    >
      <p>{isRemoval ? words.removeText : words.endFactorText}</p>
    </FormDialog>
  )
}
