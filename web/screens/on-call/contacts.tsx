import { useState } from 'react'
import type { Address } from '../../api/address.ts'
import { callTo } from '../../api/calls.ts'
import { AddressForm } from '../../parts/addresses/address-form.tsx'
import { AddressRow } from '../../parts/addresses/address-row.tsx'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { ChoiceField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { type ShownAddress, type ShownContact, useContactAddresses } from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useTerms } from '../../parts/terms.ts'
import { Things } from '../../parts/things.tsx'
import { UsedBy } from '../../parts/uses/used-by.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { AbsenceDialog } from './absence-dialog.tsx'
import { Absences } from './absences.tsx'
import '../../parts/addresses/addresses.css'

/** People, each with addresses and times off duty. */
export function Contacts({ contacts }: { readonly contacts: readonly ShownContact[] }) {
  const words = useWords(onCallWords)
  return (
    <Things
      id="contacts"
      title={words.contacts}
      add={words.addContact}
      collection="/contacts"
      things={contacts}
      empty={
        <>
          <b>{words.noContacts}</b>
          <p>{words.noContactsText}</p>
        </>
      }
      show={(contact) => <Shown contact={contact} />}
      uses={({ id }) => (
        <UsedBy
          lists={{
            services: `/services?contact_ids=${id}`,
            groups: `/groups?contact_ids=${id}`,
            tags: `/tag_contacts?contact_ids=${id}`,
          }}
        />
      )}
      form={(contact, closed) => <ContactForm contact={contact} closed={closed} />}
    />
  )
}

/** A new time off duty, one that is taken back, or an address. */
type Asked = 'absence' | { readonly absence: Address<'DELETE'> } | { readonly address: ShownAddress | null }

function Shown({ contact }: { readonly contact: ShownContact }) {
  const words = useWords(onCallWords)
  const { data: addresses } = useContactAddresses()
  const [asked, setAsked] = useState<Asked | null>(null)
  const own = addresses?.filter(({ contact_id }) => contact_id === contact.id)
  const mayChange = contact.permissions['update'] === true
  const closed = () => setAsked(null)
  return (
    <>
      <b>{contact.name}</b>
      {own?.length === 0 ? (
        <span className="unconfirmed">
          <Icon name="warning" />
          {words.noAddress}
        </span>
      ) : null}
      <Absences contact={contact} remove={(absence) => setAsked({ absence })} />
      <div className="notifications">
        <ul className="addresses" aria-label={words.addressesOf(contact.name)}>
          {own?.map((address) => (
            <li key={address.id}>
              <AddressRow address={address} edit={(edited) => setAsked({ address: edited })} />
            </li>
          ))}
        </ul>
      </div>
      {mayChange ? (
        <div className="row">
          <button
            type="button"
            className="button small"
            aria-label={words.addAddressOf(contact.name)}
            onClick={() => setAsked({ address: null })}
          >
            <Icon name="add" />
            {words.addAddress}
          </button>
          <button
            type="button"
            className="button small"
            aria-label={words.makeOffDuty(contact.name)}
            onClick={() => setAsked('absence')}
          >
            {words.offDuty}
          </button>
        </div>
      ) : null}
      {asked === 'absence' ? <AbsenceDialog contact={contact} closed={closed} /> : null}
      {asked !== null && typeof asked === 'object' && 'absence' in asked ? (
        <FormDialog
          title={words.offDutyOf(contact.name)}
          action={words.removeAbsence}
          isDangerous
          request={() => callTo('DELETE', asked.absence)}
          closed={closed}
        >
          <p>{words.removeAbsenceText}</p>
        </FormDialog>
      ) : null}
      {asked !== null && typeof asked === 'object' && 'address' in asked ? (
        <AddressForm
          address={asked.address}
          place={{ collection: 'contact_addresses', contactId: contact.id, name: contact.name }}
          closed={closed}
        />
      ) : null}
    </>
  )
}

function draftOf({ name, language_id, time_zone_id }: Pick<ShownContact, 'name' | 'language_id' | 'time_zone_id'>) {
  return { name, language_id: language_id as string, time_zone_id: time_zone_id as string }
}

function ContactForm({ contact, closed }: { readonly contact: ShownContact | null; readonly closed: () => void }) {
  const words = useWords(onCallWords)
  const { account } = useReader()
  const [languages, zones] = [useTerms('languages'), useTerms('time_zones')]
  const [draft, setDraft] = useState(() =>
    draftOf(contact ?? { name: '', language_id: account.language_id, time_zone_id: account.time_zone_id }),
  )
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const path = contact === null ? null : (`/contacts/${contact.id}` as const)
  return (
    <EditDialog
      title={contact === null ? words.addContact : words.editNamed(contact.name)}
      action={words.save}
      making={callTo('POST', '/contacts', draft)}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: (state) => state }}
      closed={closed}
    >
      <TextField label={words.name} name="name" value={draft.name} set={(name) => set({ name })} />
      <ChoiceField
        label={words.language}
        name="language_id"
        value={draft.language_id}
        options={languages.length === 0 ? [{ id: draft.language_id, name: draft.language_id }] : languages}
        set={(language_id) => set({ language_id })}
      />
      <ChoiceField
        label={words.zone}
        name="time_zone_id"
        value={draft.time_zone_id}
        options={zones.length === 0 ? [{ id: draft.time_zone_id, name: draft.time_zone_id }] : zones}
        set={(time_zone_id) => set({ time_zone_id })}
      />
    </EditDialog>
  )
}
