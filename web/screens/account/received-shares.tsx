import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account, Group } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Listing } from '../../parts/listing.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { peopleWords } from './people-words.ts'
import { rightsText } from './rights.ts'

type ReceivedGroup = Pick<Group, 'id' | 'name' | 'owner_id'> & {
  readonly owner: Pick<Account, 'name' | 'username'> | null
}

/** Groups of other accounts that this one sees. */
export function ReceivedShares() {
  const words = useWords(peopleWords)
  const { account } = useReader()
  return (
    <section className="card">
      <header>
        <h2>{words.received}</h2>
      </header>
      <Listing
        path="/groups?permissions.own=false&sort=name&embed=owner"
        what={words.received}
        empty={words.noReceived}
      >
        {(rows) => {
          // A login of an account has that account's groups without a share.
          const shared = rows.filter(({ owner_id }) => owner_id !== account.parent_account_id)
          if (shared.length === 0) return <p className="nothing">{words.noReceived}</p>
          return (
            <ul className="items">
              {shared.map((group) => (
                <Received key={group.id} group={group} />
              ))}
            </ul>
          )
        }}
      </Listing>
    </section>
  )
}

function Received({ group }: { readonly group: ReceivedGroup }) {
  const words = useWords(peopleWords)
  const { account } = useReader()
  const [isLeaving, setLeaving] = useState(false)
  // A share is with a whole account: that of its logins.
  const path = `/groups/${group.id}/shares/${account.parent_account_id ?? account.id}` as const
  const { data } = useQuery({
    queryKey: ['received share', path],
    queryFn: ({ signal }) => read(`${path}?embed=permissions`, signal),
  })
  return (
    <li>
      <span className="what">
        <b>{group.name}</b>
        {group.owner === null ? null : (
          <span className="dim">{words.from(group.owner.name || group.owner.username)}</span>
        )}
        {data === undefined ? null : <span>{words.youMay(rightsText(words, data))}</span>}
      </span>
      {data?.permissions.delete ? (
        <button type="button" className="button small danger" onClick={() => setLeaving(true)}>
          {words.leave}
        </button>
      ) : null}
      {isLeaving ? (
        <FormDialog
          title={words.leaveTitle(group.name)}
          action={words.leave}
          isDangerous
          request={() => callTo('DELETE', path)}
          closed={() => setLeaving(false)}
        >
          <p>{words.leaveText}</p>
        </FormDialog>
      ) : null}
    </li>
  )
}
