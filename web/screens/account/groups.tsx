import { useState } from 'react'
import { Link } from 'wouter'
import type { Group } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Listing } from '../../parts/listing.tsx'
import { ManagedMark } from '../../parts/managed.tsx'
import { UsedBy } from '../../parts/uses/used-by.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { GroupForm } from './group-form.tsx'
import { GroupShares } from './group-shares.tsx'
import { peopleWords } from './people-words.ts'

export type ShownGroup = Group & { readonly permissions: Readonly<Record<string, boolean>> }

/** The groups of the account, and with whom each is shared. */
export function Groups() {
  const words = useWords(peopleWords)
  const { account } = useReader()
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<ShownGroup | null>(null)
  const [removed, setRemoved] = useState<ShownGroup | null>(null)
  return (
    <section className="card">
      <header>
        <h2>{words.groups}</h2>
        {account.permissions?.['create_groups'] === true ? (
          <button type="button" className="button small" onClick={() => setAdding(true)}>
            <Icon name="add" />
            {words.addGroup}
          </button>
        ) : null}
      </header>
      <p className="inside dim">{words.groupsAbout}</p>
      <Listing
        path={`/groups?owner_id=${account.parent_account_id ?? account.id}&sort=name&embed=permissions`}
        what={words.groups}
        empty={words.noGroups}
        canSearch
      >
        {(rows) => (
          <ul className="items">
            {rows.map((group) => (
              <li key={group.id}>
                <span className="what">
                  <b>{group.name}</b>
                  <ManagedMark of={group} />
                  {group.is_default ? <span className="dim">{words.isDefault}</span> : null}
                  {group.warnings.length === 0 ? null : <span className="problem">{words.warning}</span>}
                  <GroupShares group={group} />
                </span>
                <span className="row">
                  <Link
                    className="button small"
                    href={`/services?group_id=${group.id}`}
                    aria-label={`${words.services}: ${group.name}`}
                  >
                    {words.services}
                  </Link>
                  {group.permissions['update'] ? (
                    <button
                      type="button"
                      className="button small"
                      aria-label={words.groupTitle(group.name)}
                      onClick={() => setEdited(group)}
                    >
                      {words.edit}
                    </button>
                  ) : null}
                  {group.permissions['delete'] ? (
                    <button
                      type="button"
                      className="button small danger"
                      aria-label={`${words.remove}: ${group.name}`}
                      onClick={() => setRemoved(group)}
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
      {isAdding ? <GroupForm group={null} closed={() => setAdding(false)} /> : null}
      {edited === null ? null : <GroupForm group={edited} closed={() => setEdited(null)} />}
      {removed === null ? null : (
        <FormDialog
          title={words.removeTitle(removed.name)}
          action={words.remove}
          isDangerous
          managed={removed}
          request={() => callTo('DELETE', `/groups/${removed.id}`)}
          closed={() => setRemoved(null)}
        >
          <p>{words.removeGroupText}</p>
          <UsedBy lists={{ services: `/services?group_id=${removed.id}` }} />
        </FormDialog>
      )}
    </section>
  )
}
