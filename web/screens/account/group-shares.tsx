import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { readPage } from '../../api/client.ts'
import { CheckField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import type { ShownGroup } from './groups.tsx'
import { peopleWords } from './people-words.ts'
import { noRights, type Rights, rightNames, rightsText } from './rights.ts'

interface Share extends Rights {
  readonly account_id: number
  readonly account: Pick<Account, 'name' | 'username'> | null
}

/** The API does not tell the name of a stranger's account, only its number. */
const nameOf = ({ account, account_id }: Share, words: (typeof peopleWords)['en']) =>
  account?.name || account?.username || words.accountNumber(account_id)

/** With whom a group is shared, and what each may do, as sentences. */
export function GroupShares({ group }: { readonly group: ShownGroup }) {
  const words = useWords(peopleWords)
  const path = `/groups/${group.id}/shares` as const
  const [edited, setEdited] = useState<Share | 'new' | null>(null)
  const [ended, setEnded] = useState<Share | null>(null)
  const mayShare = group.permissions['share'] === true
  const { data, error, refetch } = useQuery({
    queryKey: ['shares', group.id],
    queryFn: ({ signal }) => readPage(`${path}?limit=1000&embed=account&sort=account_id`, signal),
    enabled: mayShare,
  })
  if (!mayShare) return null
  if (error !== null) return <Trouble error={error} again={() => void refetch()} />
  return (
    <>
      {data === undefined || data.total > 0 ? null : <span className="dim">{words.notShared}</span>}
      {data === undefined || data.total === 0 ? null : (
        <ul className="shares" aria-label={`${words.shares}: ${group.name}`}>
          {data.rows.map((share) => (
            <li key={share.account_id}>
              <span>
                <b>{nameOf(share, words)}</b> {rightsText(words, share)}.
              </span>
              <span className="row">
                <button type="button" className="button small" onClick={() => setEdited(share)}>
                  {words.shareEdit}
                </button>
                <button type="button" className="button small danger" onClick={() => setEnded(share)}>
                  {words.takeBack}
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <span className="row">
        <button
          type="button"
          className="button small"
          aria-label={words.shareTitle(group.name)}
          onClick={() => setEdited('new')}
        >
          {words.share}
        </button>
      </span>
      {edited === null ? null : (
        <ShareForm group={group} share={edited === 'new' ? null : edited} closed={() => setEdited(null)} />
      )}
      {ended === null ? null : (
        <FormDialog
          title={words.takeBackTitle(nameOf(ended, words))}
          action={words.takeBack}
          isDangerous
          request={() => callTo('DELETE', `${path}/${ended.account_id}`)}
          closed={() => setEnded(null)}
        >
          <p>{words.takeBackText}</p>
        </FormDialog>
      )}
    </>
  )
}

interface FormProps {
  readonly group: ShownGroup
  /** Null: a new one. */
  readonly share: Share | null
  readonly closed: () => void
}

function ShareForm({ group, share, closed }: FormProps) {
  const words = useWords(peopleWords)
  const [number, setNumber] = useState(share === null ? '' : String(share.account_id))
  const [rights, setRights] = useState<Rights>(() =>
    share === null
      ? noRights
      : (Object.fromEntries(rightNames.map((name) => [name, share[name]])) as unknown as Rights),
  )
  const path = `/groups/${group.id}/shares/${number.trim()}` as const
  return (
    <FormDialog
      title={share === null ? words.shareTitle(group.name) : words.rightsOf(nameOf(share, words))}
      action={share === null ? words.share : words.save}
      isReady={/^\d+$/.test(number.trim())}
      request={() => callTo('PUT', path, rights)}
      closed={closed}
    >
      {share === null ? (
        <TextField
          label={words.shareNumber}
          name="account_id"
          inputMode="numeric"
          hint={words.shareNumberHint}
          value={number}
          set={setNumber}
        />
      ) : null}
      <fieldset>
        <legend>{words.onlySees}</legend>
        {rightNames.map((name) => (
          <CheckField
            key={name}
            label={words.rights[name]}
            checked={rights[name]}
            set={(isGiven) => setRights((before) => ({ ...before, [name]: isGiven }))}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
