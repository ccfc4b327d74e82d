import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { nameOf, type ShownContact, type ShownContactGroup } from '../../parts/on-call/on-call-queries.ts'
import { Picks } from '../../parts/on-call/picks.tsx'
import { onCallWords } from '../../parts/on-call/words.ts'
import { Things } from '../../parts/things.tsx'
import { UsedBy } from '../../parts/uses/used-by.tsx'
import { useWords } from '../../words/words.ts'

interface GroupsProps {
  readonly groups: readonly ShownContactGroup[]
  readonly contacts: readonly ShownContact[]
}

/** Contacts that are told together. */
export function ContactGroups({ groups, contacts }: GroupsProps) {
  const words = useWords(onCallWords)
  return (
    <Things
      id="contact-groups"
      title={words.groups}
      add={words.addGroup}
      collection="/contact_groups"
      things={groups}
      empty={<p>{words.noGroups}</p>}
      show={(group) => (
        <>
          <b>{group.name}</b>
          <span className="dim">
            {group.contact_ids.length === 0
              ? words.nobody
              : group.contact_ids.map((id) => nameOf(contacts, id)).join(', ')}
          </span>
        </>
      )}
      uses={({ id }) => (
        <UsedBy
          lists={{
            services: `/services?contact_group_ids=${id}`,
            groups: `/groups?contact_group_ids=${id}`,
            tags: `/tag_contacts?contact_group_ids=${id}`,
          }}
        />
      )}
      form={(group, closed) => <GroupForm group={group} contacts={contacts} closed={closed} />}
    />
  )
}

interface FormProps {
  readonly group: ShownContactGroup | null
  readonly contacts: readonly ShownContact[]
  readonly closed: () => void
}

const draftOf = ({ name, contact_ids }: Pick<ShownContactGroup, 'name' | 'contact_ids'>) => ({ name, contact_ids })

function GroupForm({ group, contacts, closed }: FormProps) {
  const words = useWords(onCallWords)
  const [draft, setDraft] = useState(() => draftOf(group ?? { name: '', contact_ids: [] }))
  const path = group === null ? null : (`/contact_groups/${group.id}` as const)
  return (
    <EditDialog
      title={group === null ? words.addGroup : words.editNamed(group.name)}
      action={words.save}
      making={callTo('POST', '/contact_groups', draft)}
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: (state) => state }}
      closed={closed}
    >
      <TextField label={words.name} name="name" value={draft.name} set={(name) => setDraft({ ...draft, name })} />
      <Picks
        legend={words.members}
        name="contact_ids"
        all={contacts}
        chosen={draft.contact_ids}
        choose={(contact_ids) => setDraft({ ...draft, contact_ids: [...contact_ids] })}
      />
    </EditDialog>
  )
}
