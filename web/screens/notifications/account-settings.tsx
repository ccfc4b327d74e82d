import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { wholeNumber } from '../../format/whole-number.ts'
import { notificationsWords } from '../../parts/addresses/words.ts'
import { CheckField, TextField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useEditing } from '../../parts/use-editing.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'

const path = '/accounts/my_account'

type Settings = Pick<Account, 'disable_legacy_notifications' | 'storm_threshold'>

function useSettings() {
  const { account } = useReader()
  const isOwn = account.parent_account_id === null && account.permissions?.['update'] === true
  return useQuery({
    queryKey: [path, 'notifications'],
    enabled: isOwn,
    queryFn: ({ signal }) => read(`${path}?fields=disable_legacy_notifications,storm_threshold`, signal),
  }).data
}

/** How the account tells of its services, whichever group they are in. Sub-accounts have those of the main one. */
export function AccountSettings() {
  const settings = useSettings()
  return settings === undefined ? null : <SettingsForm settings={settings} />
}

/** Says that what the screen shows is not in force. */
export function ContactsAlone() {
  const words = useWords(notificationsWords).settings
  if (useSettings()?.disable_legacy_notifications !== true) return null
  return (
    <p className="unconfirmed">
      <Icon name="warning" />
      {words.inForce}
    </p>
  )
}

interface Draft {
  readonly isContactsAlone: boolean
  readonly isGathered: boolean
  /** As it is typed. */
  readonly threshold: string
}

const usualThreshold = '100'

function draftOf({ disable_legacy_notifications: isContactsAlone, storm_threshold: threshold }: Settings): Draft {
  return { isContactsAlone, isGathered: threshold !== null, threshold: String(threshold ?? usualThreshold) }
}

function bodyOf({ isContactsAlone, isGathered, threshold }: Draft) {
  const number = wholeNumber(threshold)
  return { disable_legacy_notifications: isContactsAlone, storm_threshold: isGathered ? number : null }
}

function SettingsForm({ settings }: { readonly settings: Settings }) {
  const words = useWords(notificationsWords).settings
  const [draft, setDraft] = useState(() => draftOf(settings))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { saving, send, resolvingFor, beginAgain } = useEditing({
    ...{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf },
  })
  const done = (settle: () => void) => {
    settle()
    void beginAgain()
  }
  return (
    <section className="card" aria-labelledby="account-settings">
      <header>
        <h2 id="account-settings">{words.title}</h2>
      </header>
      <Form
        className="inside stack"
        outcome={saving}
        submit={(settle) => send(() => done(settle))}
        resolving={resolvingFor(done)}
        call={callTo('PUT', path, bodyOf(draft))}
        action={words.save}
        saved={words.saved}
      >
        <div data-field="disable_legacy_notifications">
          <CheckField
            label={words.contactsAlone}
            checked={draft.isContactsAlone}
            set={(isContactsAlone) => set({ isContactsAlone })}
          />
          <p className="hint">{words.contactsAloneText}</p>
        </div>
        <div>
          <CheckField label={words.gather} checked={draft.isGathered} set={(isGathered) => set({ isGathered })} />
          <p className="hint">{words.gatherText}</p>
        </div>
        {draft.isGathered ? (
          <TextField
            label={words.threshold}
            name="storm_threshold"
            inputMode="numeric"
            value={draft.threshold}
            set={(threshold) => set({ threshold })}
          />
        ) : null}
      </Form>
    </section>
  )
}
