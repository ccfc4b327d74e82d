import { useEffect } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import {
  nameOf,
  type ShownContact,
  type ShownRotation,
  useContactGroups,
  useContacts,
  useDuties,
  useEscalations,
  useRotations,
} from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { useFormat } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { ContactGroups } from './contact-groups.tsx'
import { Contacts } from './contacts.tsx'
import { Escalations } from './escalations.tsx'
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
          <Rotations rotations={rotations.data} contacts={contacts.data} />
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

interface DutyProps {
  readonly rotations: readonly ShownRotation[]
  readonly contacts: readonly ShownContact[]
}

function OnDuty({ rotations, contacts }: DutyProps) {
  const words = useWords(onCallWords)
  const format = useFormat()
  const duties = useDuties(rotations)
  return (
    <section className="card" aria-labelledby="on-duty">
      <header>
        <h2 id="on-duty">{words.onDuty}</h2>
      </header>
      <dl className="duties">
        {rotations.map(({ id, name }, index) => {
          const duty = duties[index]?.data
          return (
            <div key={id}>
              <dt>{name}</dt>
              <dd>
                {duty === undefined ? null : duty.contact_id === null ? (
                  <b className="nobody">
                    <Icon name="warning" />
                    {words.nobodyOnDuty}
                  </b>
                ) : (
                  <b>{nameOf(contacts, duty.contact_id)}</b>
                )}
                {duty?.until == null ? null : (
                  <span className="dim">
                    {' '}
                    {words.until(format.moment(duty.until))}
                    {duty.next === null ? null : `, ${words.thenOnDuty(nameOf(contacts, duty.next))}`}
                  </span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
