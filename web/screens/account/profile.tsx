import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Account, Term } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { logOut } from '../../api/session.ts'
import { browserZone } from '../../format/zone.ts'
import { ChoiceField, TextField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useTerms } from '../../parts/terms.ts'
import { useEditing } from '../../parts/use-editing.ts'
import { ZoneEffects } from '../../parts/zone-effects.tsx'
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

function draftOf({ name, language_id, time_zone_id }: Pick<Account, 'name' | 'language_id' | 'time_zone_id'>) {
  return { name, language_id: language_id as string, time_zone_id: time_zone_id as string }
}

const savedKey = 'latarnik.profile-saved'

/** Whether the page began anew because the form was saved; its button has the focus again then. */
function useSavedBefore(section: RefObject<HTMLElement | null>): boolean {
  const [isSaved, setSaved] = useState(false)
  useEffect(() => {
    if (sessionStorage.getItem(savedKey) === null) return
    sessionStorage.removeItem(savedKey)
    setSaved(true)
    section.current?.querySelector<HTMLElement>('button[type=submit]')?.focus({ preventScroll: true })
  }, [section])
  return isSaved
}

function ProfileForm() {
  const words = useWords(accountWords)
  const { account, zone } = useReader()
  const languages = useTerms('languages')
  const zones = useTerms('time_zones')
  const [draft, setDraft] = useState(() => draftOf(account))
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const { saving, send, resolvingFor } = useEditing({
    ...{ path: '/accounts/my_account', state: draft, set: setDraft, read: draftOf },
    body: (state) => ({ ...state }),
  })
  const section = useRef<HTMLElement>(null)
  const isSaved = useSavedBefore(section)
  // Language and zone are those of the whole page: it begins anew with them.
  const done = (settle: () => void) => {
    settle()
    sessionStorage.setItem(savedKey, 'yes')
    location.reload()
  }
  return (
    <section ref={section} className="card">
      <header>
        <h2>{account.name || account.username}</h2>
      </header>
      <Form
        className="inside stack"
        outcome={{ ...saving, isSuccess: isSaved }}
        saved={words.saved}
        submit={(settle) => send(() => done(settle))}
        resolving={resolvingFor(done)}
        call={callTo('PUT', '/accounts/my_account', draft)}
        action={words.save}
      >
        <p className="dim">
          {words.username} <b>{account.username}</b> · {words.number} <b>{account.id}</b>
        </p>
        <p className="hint">{words.numberHint}</p>
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
          hint={words.accountLanguageHint}
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
        <BrowserZone zones={zones} chosen={draft.time_zone_id} choose={(time_zone_id) => set({ time_zone_id })} />
        {draft.time_zone_id === account.time_zone_id ? null : <ZoneEffects />}
      </Form>
    </section>
  )
}

interface BrowserZoneProps {
  readonly zones: readonly Term[]
  readonly chosen: string
  readonly choose: (id: string) => void
}

/** Offers the zone of the browser where the form shows another one. */
function BrowserZone({ zones, chosen, choose }: BrowserZoneProps) {
  const words = useWords(accountWords)
  const here = browserZone()
  const id = zones.find(({ name }) => name === here)?.id
  if (id === undefined || id === chosen) return null
  return (
    <p className="row">
      <button type="button" className="button small" onClick={() => choose(String(id))}>
        {words.takeZone(here)}
      </button>
    </p>
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
          request={() => callTo('DELETE', `/accounts/${account.id}`)}
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
