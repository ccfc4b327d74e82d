import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Schemas } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Listing } from '../../parts/listing.tsx'
import { readAgain } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useFormat, useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { addPasskey, hasPasskeys, NoPasskey } from './browser-passkeys.ts'
import { passkeyWords } from './passkey-words.ts'

type Passkey = Schemas['passkeys']
type Opened = { readonly what: 'rename' | 'remove'; readonly passkey: Passkey } | 'new'

/** The passkeys of the login: added, renamed and removed. */
export function Passkeys() {
  const words = useWords(passkeyWords)
  const { account } = useReader()
  const [opened, open] = useState<Opened | null>(null)
  const closed = () => open(null)
  return (
    <section className="card" aria-labelledby="passkeys">
      <header>
        <h2 id="passkeys">{words.passkeys}</h2>
        {hasPasskeys() ? (
          <button type="button" className="button small" onClick={() => open('new')}>
            <Icon name="add" />
            {words.add}
          </button>
        ) : null}
      </header>
      <p className="inside dim">{hasPasskeys() ? words.about : words.unsupported}</p>
      <Listing path={`/passkeys?owner_id=${account.id}&sort=id`} what={words.passkeys} empty={words.none}>
        {(rows) => (
          <ul className="items">
            {rows.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} open={open} />
            ))}
          </ul>
        )}
      </Listing>
      {opened === 'new' ? <AddPasskey closed={closed} /> : null}
      {opened === null || opened === 'new' ? null : <Opened {...opened} closed={closed} />}
    </section>
  )
}

function PasskeyRow({ passkey, open }: { readonly passkey: Passkey; readonly open: (opened: Opened) => void }) {
  const words = useWords(passkeyWords)
  const format = useFormat()
  const { name, rp_id: site, is_synced: isSynced, created_at: madeAt, last_used_at: usedAt } = passkey
  const facts = [
    words.made(format.moment(madeAt)),
    usedAt === null ? words.neverUsed : words.used(format.moment(usedAt)),
    ...(isSynced ? [words.synced] : []),
    ...(site === location.hostname ? [] : [words.elsewhere(site)]),
  ]
  return (
    <li>
      <span className="what">
        <b>{name}</b>
        <span className="dim">{facts.join(' · ')}</span>
      </span>
      <span className="row">
        {(['rename', 'remove'] as const).map((what) => (
          <button
            key={what}
            type="button"
            className={what === 'remove' ? 'button small danger' : 'button small'}
            aria-label={`${words[what]}: ${name}`}
            onClick={() => open({ what, passkey })}
          >
            {words[what]}
          </button>
        ))}
      </span>
    </li>
  )
}

function Opened({ what, passkey, closed }: Exclude<Opened, 'new'> & { readonly closed: () => void }) {
  const words = useWords(passkeyWords)
  const [name, setName] = useState(passkey.name)
  const path = `/passkeys/${passkey.id}` as const
  if (what === 'remove') {
    return (
      <FormDialog
        title={words.removeTitle(passkey.name)}
        action={words.remove}
        isDangerous
        request={() => callTo('DELETE', path)}
        closed={closed}
      >
        <p>{words.removeText}</p>
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={words.renameTitle(passkey.name)}
      action={words.save}
      isReady={name.trim() !== ''}
      request={() => callTo('PUT', path, { name: name.trim() })}
      closed={closed}
    >
      <TextField label={words.name} name="name" value={name} set={setName} />
    </FormDialog>
  )
}

/** The name, then the question of the browser. */
function AddPasskey({ closed }: { readonly closed: () => void }) {
  const words = useWords(passkeyWords)
  const parts = useWords(partWords)
  const client = useQueryClient()
  const dialog = useRef<HTMLDialogElement>(null)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const adding = useMutation({
    mutationFn: () => addPasskey({ name: name.trim(), password }, words),
    onSettled: readAgain(client),
  })
  const close = () => dialog.current?.close()
  const send = (settle: () => void) =>
    adding.mutate(undefined, {
      onSuccess: () => {
        settle()
        close()
      },
    })
  const { error } = adding
  return (
    <Dialog ref={dialog} title={words.addTitle} closed={closed}>
      <Form
        outcome={error instanceof NoPasskey ? { ...adding, error: null } : adding}
        submit={send}
        call={null}
        action={words.next}
        look="primary"
        isReady={name.trim() !== ''}
        more={
          <button type="button" className="button" onClick={close}>
            {parts.cancel}
          </button>
        }
      >
        <TextField label={words.name} name="name" hint={words.nameHint} value={name} set={setName} />
        <TextField
          label={words.password}
          name="current_password"
          hint={words.passwordHint}
          type="password"
          autoComplete="current-password"
          value={password}
          set={setPassword}
        />
        {error instanceof NoPasskey ? (
          <p className="problem" role="alert">
            {error.message}
          </p>
        ) : null}
      </Form>
    </Dialog>
  )
}
