import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { read } from '../../api/client.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownGroup } from './address-queries.ts'
import { notificationsWords } from './words.ts'

const WhoHears = lazy(() => import('../on-call/who-hears.tsx').then((file) => ({ default: file.WhoHears })))

/** Whether contacts or an escalation are told beside the addresses. */
export function isNaming({ contact_ids, contact_group_ids, escalation_id }: ShownGroup): boolean {
  return contact_ids.length + contact_group_ids.length > 0 || escalation_id !== null
}

/** Null: there is none; empty: it is not read yet. */
function useEscalationName(id: number | null): string | null {
  const { data } = useQuery({
    queryKey: ['escalations', 'names'],
    queryFn: ({ signal }) => read('/escalations?fields=id,name&limit=1000', signal),
    enabled: id !== null,
  })
  return id === null ? null : (data?.find((one) => one.id === id)?.name ?? '')
}

/** The contacts that the group notifies beside its addresses; the owner's side may change them. */
export function NamedBeside({ group }: { readonly group: ShownGroup }) {
  const words = useWords(notificationsWords)
  const { account } = useReader()
  const [isAsked, setAsked] = useState(false)
  const escalation = useEscalationName(group.escalation_id)
  const isOwners = [account.id, account.parent_account_id].includes(group.owner_id)
  const mayChange = isOwners && group.permissions['update'] === true
  const people = group.contact_ids.length + group.contact_group_ids.length
  if (!mayChange && !isNaming(group)) return null
  return (
    <div className="row">
      {isNaming(group) ? <span className="dim">{words.beside(people, escalation)}</span> : null}
      {mayChange ? (
        <button type="button" className="button small" onClick={() => setAsked(true)}>
          {words.contactsToo}
        </button>
      ) : null}
      {isAsked ? (
        <Suspense fallback={null}>
          <WhoHears name={group.name} path={`/groups/${group.id}`} naming={group} closed={() => setAsked(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
