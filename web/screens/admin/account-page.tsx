import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { read } from '../../api/client.ts'
import { CheckField, ChoiceField, TextField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { usePackages } from './accounts.tsx'
import { adminWords } from './words.ts'

type Account = Schemas['admin_accounts'] & { readonly permissions: Readonly<Record<string, boolean>> }

/** One account: what it may do, and whether it may do anything. */
export function AccountPage({ id }: { readonly id: number }) {
  const words = useWords(adminWords)
  const format = useFormat()
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'account', id],
    queryFn: ({ signal }) => read(`/admin/accounts/${id}?embed=permissions`, signal),
  })
  if (data === undefined) {
    return error === null ? <Loading what={words.accounts} /> : <Trouble error={error} again={() => void refetch()} />
  }
  return (
    <section className="card">
      <header>
        <h2>{data.name || data.username}</h2>
        <Fate account={data} />
      </header>
      <p className="inside dim">
        {data.username} · {words.created} {format.moment(data.created_at)} ({format.zone}).{' '}
        {data.has_2fa_enabled ? words.factorOn : words.factorOff}{' '}
        {data.parent_account_id === null ? null : words.subAccount(String(data.parent_account_id))}{' '}
        {data.is_blocked ? <b className="bad">{words.blocked}.</b> : null} {words.passwordHint}
      </p>
      {data.permissions['update'] === true ? <AccountFields account={data} /> : null}
    </section>
  )
}

/** The members that differ. */
function changedIn<Draft extends object>(draft: Draft, before: Draft): Partial<Draft> {
  const changed = { ...draft }
  for (const name in changed) if (draft[name] === before[name]) delete changed[name]
  return changed
}

function AccountFields({ account }: { readonly account: Account }) {
  const words = useWords(adminWords)
  const packages = usePackages()
  const [draft, setDraft] = useState({
    name: account.name,
    package_id: account.package_id,
    contact_person: account.contact_person,
    email_address: account.email_address,
    phone_number: account.phone_number,
    is_read_only: account.is_read_only,
    can_share_groups: account.can_share_groups,
    can_create_subaccounts: account.can_create_subaccounts,
  })
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const changing = useChange()
  // Only what differs is sent: a login of an account has no package of its own to set.
  const call = callTo('PUT', `/admin/accounts/${account.id}`, changedIn(draft, account))
  const texts = [
    ['name', words.name],
    ['contact_person', words.contact],
    ['email_address', words.email],
    ['phone_number', words.phone],
  ] as const
  const flags = [
    ['is_read_only', words.readsOnly],
    ['can_share_groups', words.canShare],
    ['can_create_subaccounts', words.canPeople],
  ] as const
  return (
    <Form
      className="inside stack"
      outcome={changing}
      submit={(settle) => changing.mutate(call, { onSuccess: settle })}
      call={call}
      action={words.save}
      look="primary"
      saved={words.saved}
    >
      {texts.map(([name, label]) => (
        <TextField key={name} {...{ label, name }} value={draft[name]} set={(value) => set({ [name]: value })} />
      ))}
      <ChoiceField
        label={words.package}
        name="package_id"
        value={String(draft.package_id)}
        options={packages}
        set={(value) => set({ package_id: Number(value) })}
      />
      {flags.map(([name, label]) => (
        <CheckField key={name} label={label} checked={draft[name]} set={(value) => set({ [name]: value })} />
      ))}
    </Form>
  )
}

function Fate({ account }: { readonly account: Account }) {
  const words = useWords(adminWords)
  const [, go] = useLocation()
  const [asked, setAsked] = useState<'none' | 'block' | 'remove'>('none')
  const [typed, setTyped] = useState('')
  const { mutate, isPending, error } = useChange()
  const path = `/admin/accounts/${account.id}` as const
  const called = account.name || account.username
  return (
    <span className="row">
      {error === null ? null : (
        <span className="problem" role="alert">
          <Reason error={error} />
        </span>
      )}
      {account.is_blocked && account.permissions['unblock'] === true ? (
        <button
          type="button"
          className="button small"
          disabled={isPending}
          onClick={() => mutate(callTo('POST', `${path}/unblock`))}
        >
          {words.unblock}
        </button>
      ) : null}
      {!account.is_blocked && account.permissions['block'] === true ? (
        <button type="button" className="button small danger" onClick={() => setAsked('block')}>
          {words.block}
        </button>
      ) : null}
      {account.permissions['delete'] === true ? (
        <button type="button" className="button small danger" onClick={() => setAsked('remove')}>
          {words.remove}
        </button>
      ) : null}
      {asked === 'block' ? (
        <FormDialog
          title={words.blockTitle(called)}
          action={words.block}
          isDangerous
          request={() => callTo('POST', `${path}/block`)}
          closed={() => setAsked('none')}
        >
          <p>{words.blockText}</p>
        </FormDialog>
      ) : null}
      {asked === 'remove' ? (
        <FormDialog
          title={words.removeTitle(called)}
          action={words.remove}
          isDangerous
          isReady={typed === account.username}
          request={() => callTo('DELETE', path)}
          done={() => go('/admin/accounts')}
          closed={() => setAsked('none')}
        >
          <p>{words.removeAccountText}</p>
          <TextField label={words.typeName(account.username)} name="username" value={typed} set={setTyped} />
        </FormDialog>
      ) : null}
    </span>
  )
}
