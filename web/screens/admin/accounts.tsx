import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { readPage } from '../../api/client.ts'
import { ChoiceField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Listing, useListAddress } from '../../parts/listing.tsx'
import { useWords } from '../../words/words.ts'
import { adminWords } from './words.ts'

type Package = Schemas['admin_packages']

export function usePackages(): readonly Package[] {
  const { data } = useQuery({
    queryKey: ['admin', 'packages'],
    queryFn: async ({ signal }) => (await readPage('/admin/packages?limit=1000&sort=name', signal)).rows,
  })
  return data ?? []
}

/** Every account of the installation. */
export function Accounts() {
  const words = useWords(adminWords)
  const { search, show } = useListAddress()
  const packages = usePackages()
  const [isAdding, setAdding] = useState(false)
  return (
    <section className="card">
      <header>
        <h2>{words.accounts}</h2>
        <button type="button" className="button small" data-shortcut="n" onClick={() => setAdding(true)}>
          <Icon name="add" />
          {words.addAccount}
        </button>
      </header>
      <div className="inside row">
        <ChoiceField
          label={words.blockedOnly}
          name="is_blocked"
          value={search.get('is_blocked') ?? ''}
          options={[
            { id: '', name: words.every },
            { id: 'true', name: words.onlyBlocked },
            { id: 'false', name: words.onlyFree },
          ]}
          set={(value) => show({ is_blocked: value, offset: null })}
        />
      </div>
      <Listing
        path="/admin/accounts?sort=username"
        filters={['is_blocked', 'package_id']}
        what={words.accounts}
        empty={words.noAccounts}
        canSearch
      >
        {(rows) => (
          <ul className="items">
            {rows.map((account) => (
              <li key={account.id}>
                <span className="what">
                  <Link href={`/admin/accounts/${account.id}`}>{account.name || account.username}</Link>
                  <span className="dim">
                    {account.username} · {account.email_address}
                  </span>
                </span>
                <span className="row">
                  {account.is_blocked ? (
                    <span className="badge bad">
                      <Icon name="failure" />
                      {words.blocked}
                    </span>
                  ) : null}
                  {account.is_activated ? null : <span className="dim">{words.inactive}</span>}
                  <span className="dim">{packages.find(({ id }) => id === account.package_id)?.name}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listing>
      {isAdding ? <AddAccount packages={packages} closed={() => setAdding(false)} /> : null}
    </section>
  )
}

function AddAccount({ packages, closed }: { readonly packages: readonly Package[]; readonly closed: () => void }) {
  const words = useWords(adminWords)
  const [draft, setDraft] = useState({ username: '', name: '', email_address: '', password: '' })
  const [wanted, setWanted] = useState<string | null>(null)
  // The packages may come after the dialog has opened.
  const chosen = wanted ?? String(packages.find(({ create_accounts: may }) => may)?.id ?? '')
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  return (
    <FormDialog
      title={words.addAccount}
      action={words.add}
      isReady={chosen !== ''}
      request={() => callTo('POST', '/admin/accounts', { ...draft, package_id: Number(chosen) })}
      closed={closed}
    >
      <TextField label={words.username} name="username" value={draft.username} set={(username) => set({ username })} />
      <TextField label={words.name} name="name" value={draft.name} set={(name) => set({ name })} />
      <TextField
        label={words.email}
        name="email_address"
        type="email"
        value={draft.email_address}
        set={(email_address) => set({ email_address })}
      />
      <TextField
        label={words.password}
        name="password"
        type="password"
        autoComplete="new-password"
        value={draft.password}
        set={(password) => set({ password })}
      />
      <ChoiceField label={words.package} name="package_id" value={chosen} options={packages} set={setWanted} />
    </FormDialog>
  )
}
