import { useEffect } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { useContactGroups, useContacts, useEscalations, useRotations } from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { ContactGroups } from './contact-groups.tsx'
import { Contacts } from './contacts.tsx'
import { Escalations } from './escalations.tsx'
import { OnDuty } from './on-duty.tsx'
import { Rotations } from './rotations.tsx'
import '../../parts/on-call/on-call.css'

/**
 * The people who are notified beside the addresses of groups: contacts, rotations, and the steps while nobody
 * acknowledges.
 */
export function OnCallScreen() {
  const words = useWords(onCallWords)
  const [contacts, groups, rotations, escalations] = [
    useContacts(),
    useContactGroups(),
    useRotations(),
    useEscalations(),
  ]
  useEffect(() => showTitle(words.title), [words])
  const all = [contacts, groups, rotations, escalations]
  const error = all.find((one) => one.error !== null)?.error ?? null
  const isRead = contacts.data && groups.data && rotations.data && escalations.data
  return (
    <div className="on-call stack">
      <div>
        <h1>{words.title}</h1>
        <p className="dim">{words.about}</p>
      </div>
      {!isRead ? (
        error === null ? (
          <Loading what={words.what} />
        ) : (
          <Trouble error={error} again={() => void Promise.all(all.map((one) => one.refetch()))} />
        )
      ) : (
        <>
          {rotations.data.length === 0 ? null : <OnDuty rotations={rotations.data} contacts={contacts.data} />}
          <Contacts contacts={contacts.data} />
          <ContactGroups groups={groups.data} contacts={contacts.data} />
          <Rotations rotations={rotations.data} contacts={contacts.data} escalations={escalations.data} />
          <Escalations
            escalations={escalations.data}
            contacts={contacts.data}
            groups={groups.data}
            rotations={rotations.data}
          />
        </>
      )}
    </div>
  )
}
