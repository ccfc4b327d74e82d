import { useState } from 'react'
import { useWords } from '../../words/words.ts'
import { EditDialog } from '../edit-dialog.tsx'
import { ChoiceField } from '../fields.tsx'
import { useContactGroups, useContacts, useEscalations } from './on-call-queries.ts'
import { Picks } from './picks.tsx'
import { onCallWords } from './words.ts'
import './on-call.css'

/** The contacts and the escalation of a group or a service, beside the addresses of the group. */
export interface Naming {
  readonly contact_ids: readonly number[]
  readonly contact_group_ids: readonly number[]
  readonly escalation_id: number | null
}

interface WhoHearsProps {
  readonly name: string
  /** Where the API has the group or the service. */
  readonly path: `/${'services' | 'groups' | 'tags'}/${number}`
  readonly naming: Naming
  /** False for a tag, which names contacts alone. */
  readonly hasEscalation?: boolean
  readonly closed: () => void
}

/** A tag names no escalation. */
type Read = Omit<Naming, 'escalation_id'> & Partial<Pick<Naming, 'escalation_id'>>

const draftOf = ({ contact_ids, contact_group_ids, escalation_id = null }: Read): Naming => ({
  ...{ contact_ids, contact_group_ids, escalation_id },
})

const whole = (naming: Naming) => ({ ...naming })
const withoutEscalation = ({ escalation_id: _none, ...people }: Naming) => people

/** Chooses contacts, groups of contacts and an escalation. */
export function WhoHears({ name, path, naming, hasEscalation = true, closed }: WhoHearsProps) {
  const words = useWords(onCallWords)
  const [contacts, groups, escalations] = [
    useContacts().data,
    useContactGroups().data ?? [],
    useEscalations().data ?? [],
  ]
  const [draft, setDraft] = useState(() => draftOf(naming))
  const set = (part: Partial<Naming>) => setDraft((before) => ({ ...before, ...part }))
  return (
    <EditDialog
      title={words.whoHearsOf(name)}
      action={words.save}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: hasEscalation ? whole : withoutEscalation }}
      closed={closed}
    >
      <p className="hint">{contacts?.length === 0 ? words.firstContacts : words.whoHearsText}</p>
      <Picks
        legend={words.contacts}
        name="contact_ids"
        all={contacts ?? []}
        chosen={draft.contact_ids}
        choose={(contact_ids) => set({ contact_ids })}
      />
      <Picks
        legend={words.groups}
        name="contact_group_ids"
        all={groups}
        chosen={draft.contact_group_ids}
        choose={(contact_group_ids) => set({ contact_group_ids })}
      />
      {hasEscalation ? (
        <ChoiceField
          label={words.escalation}
          name="escalation_id"
          value={String(draft.escalation_id ?? '')}
          options={[{ id: '', name: words.noEscalation }, ...escalations]}
          set={(id) => set({ escalation_id: id === '' ? null : Number(id) })}
        />
      ) : null}
    </EditDialog>
  )
}
