import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Term } from '../../api/answers.ts'
import { readPage } from '../../api/client.ts'
import { logOut } from '../../api/session.ts'
import { AsCode } from '../../parts/as-code.tsx'
import { ChoiceField, Problems, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { Choices } from './choices.tsx'
import { ContactForm } from './contact-form.tsx'
import { accountWords } from './words.ts'

export function Profile() {
  const words = useWords(accountWords)
  const { account } = useReader()
  return (
    <>
      <div className="two">
        {account.permissions?.['update'] === true ? <ProfileForm /> : <Facts />}
        <Choices />
      </div>
      <ContactForm />
      {account.permissions?.['delete'] === true ? <Closing /> : null}
      {account.is_read_only ? <p className="hint">{words.readOnly}</p> : null}
    </>
  )
}

function Facts() {
  const words = useWords(accountWords)
  const { account, zone } = useReader()
  return (
    <section className="card">
      <header>
        <h2>{account.name || account.username}</h2>
      </header>
      <dl className="inside facts">
        <dt>{words.username}</dt>
        <dd>{account.username}</dd>
        <dt>{words.number}</dt>
        <dd>{account.id}</dd>
        <dt>{words.zone}</dt>
        <dd>{zone}</dd>
      </dl>
    </section>
  )
}

function useTerms(dictionary: string): readonly Term[] {
  const path = `/dictionaries/${dictionary}?limit=1000&sort=name`
  return (
    useQuery({
      queryKey: ['dictionary', path],
      queryFn: async ({ signal }) => (await readPage<Term>(path, signal)).rows,
      staleTime: Number.POSITIVE_INFINITY,
    }).data ?? []
  )
}

function ProfileForm() {
  const words = useWords(accountWords)
  const { account, zone } = useReader()
  const languages = useTerms('languages')
  const zones = useTerms('time_zones')
  const [draft, setDraft] = useState({
    name: account.name,
    language_id: account.language_id as string,
    time_zone_id: account.time_zone_id as string,
  })
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const { mutate, isPending, error } = useChange()
  return (
    <section className="card">
      <header>
        <h2>{account.name || account.username}</h2>
      </header>
      <form
        className="inside stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // Language and zone are those of the whole page: it begins anew with them.
          mutate({ method: 'PUT', path: '/accounts/my_account', body: draft }, { onSuccess: () => location.reload() })
        }}
      >
        <p className="dim">
          {words.username} <b>{account.username}</b> · {words.number} <b>{account.id}</b>
        </p>
        <p className="hint">{words.numberHint}</p>
        <Problems error={error}>
          <TextField
            label={words.name}
            name="name"
            autoComplete="organization"
            value={draft.name}
            set={(name) => set({ name })}
          />
          <ChoiceField
            label={words.accountLanguage}
            name="language_id"
            value={draft.language_id}
            options={languages.length === 0 ? [{ id: draft.language_id, name: draft.language_id }] : languages}
            set={(language_id) => set({ language_id })}
          />
          <ChoiceField
            label={words.zone}
            name="time_zone_id"
            value={draft.time_zone_id}
            options={zones.length === 0 ? [{ id: draft.time_zone_id, name: zone }] : zones}
            set={(time_zone_id) => set({ time_zone_id })}
          />
        </Problems>
        <div className="row">
          <button type="submit" className="button" disabled={isPending}>
            {words.save}
          </button>
          <span role="status" className="problem">
            {error?.message ?? ''}
          </span>
        </div>
      </form>
      <AsCode method="PUT" path="/accounts/my_account" body={draft} />
    </section>
  )
}

function Closing() {
  const words = useWords(accountWords)
  const { account } = useReader()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  return (
    <section className="card">
      <header>
        <h2>{words.closing}</h2>
      </header>
      <div className="inside stack">
        <p>{words.closingText}</p>
        <div className="row">
          <button type="button" className="button danger" onClick={() => setOpen(true)}>
            {words.closing}…
          </button>
        </div>
      </div>
      {isOpen ? (
        <FormDialog
          title={words.closing}
          action={words.closing}
          isDangerous
          isReady={typed === account.username}
          request={() => ({ method: 'DELETE', path: `/accounts/${account.id}` })}
          done={() => void logOut()}
          closed={() => setOpen(false)}
        >
          <p>{words.closingText}</p>
          <TextField label={words.closingType(account.username)} name="username" value={typed} set={setTyped} />
        </FormDialog>
      ) : null}
    </section>
  )
}
