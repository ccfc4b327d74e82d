import { useRef, useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ChoiceField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Listing } from '../../parts/listing.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { type ApiKey, KeyForm } from './key-form.tsx'
import { keysWords } from './keys-words.ts'

type Opened = { readonly what: 'edit' | 'rotate' | 'revoke'; readonly apiKey: ApiKey } | 'new'

/** The keys of the login: made, changed, replaced and revoked. */
export function ApiKeys() {
  const words = useWords(keysWords)
  const [opened, open] = useState<Opened | null>(null)
  const [shown, show] = useState<string | null>(null)
  const closed = () => open(null)
  return (
    <section className="card" aria-labelledby="api-keys">
      <header>
        <h2 id="api-keys">{words.keys}</h2>
        <button type="button" className="button small" onClick={() => open('new')}>
          <Icon name="add" />
          {words.add}
        </button>
      </header>
      <p className="inside dim">{words.about}</p>
      <Listing path="/api_keys?sort=name" what={words.keys} empty={words.none}>
        {(rows) => (
          <ul className="items">
            {rows.map((key) => (
              <KeyRow key={key.id} apiKey={key} open={open} />
            ))}
          </ul>
        )}
      </Listing>
      {opened === 'new' ? <KeyForm apiKey={null} made={show} closed={closed} /> : null}
      {opened === null || opened === 'new' ? null : <Opened {...opened} show={show} closed={closed} />}
      {shown === null ? null : <ShownKey text={shown} closed={() => show(null)} />}
    </section>
  )
}

const whatOfKeys = ['edit', 'rotate', 'revoke'] as const
/** Nobody knows the key of a login, so that it is not replaced. */
const whatOfAssistants = ['edit', 'revoke'] as const

function KeyRow({ apiKey, open }: { readonly apiKey: ApiKey; readonly open: (opened: Opened) => void }) {
  const words = useWords(keysWords)
  const format = useFormat()
  const { name, prefix, expires_at: endsAt, last_used_at: usedAt, previous_expires_at: formerUntil } = apiKey
  const isOver = endsAt !== null && Date.parse(endsAt) <= Date.now()
  const isAssistants = apiKey.client_id !== null
  const narrowing = [
    ...(apiKey.group_ids === null ? [] : [words.groupsOf(apiKey.group_ids.length)]),
    ...(apiKey.tags === null ? [] : [apiKey.tags.join(', ')]),
  ]
  const facts = [
    ...(isAssistants ? [words.byAssistant] : []),
    apiKey.scopes.map((scope) => words.scopeShort[scope]).join(', '),
    ...(narrowing.length === 0 ? [] : [words.narrowed(narrowing.join(' · '))]),
    usedAt === null ? words.neverUsed : words.used(format.moment(usedAt)),
    endsAt === null ? words.endless : (isOver ? words.ended : words.ends)(format.moment(endsAt)),
    ...(formerUntil !== null && Date.parse(formerUntil) > Date.now() ? [words.former(format.moment(formerUntil))] : []),
  ]
  return (
    <li>
      <span className="what">
        <span>
          <b>{name}</b> {isAssistants ? null : <code>{prefix}…</code>}
        </span>
        <span className={isOver ? 'problem' : 'dim'}>{facts.join(' · ')}</span>
      </span>
      <span className="row">
        {(isAssistants ? whatOfAssistants : whatOfKeys).map((what) => (
          <button
            key={what}
            type="button"
            className={what === 'revoke' ? 'button small danger' : 'button small'}
            aria-label={`${words[what]}: ${name}`}
            onClick={() => open({ what, apiKey })}
          >
            {words[what]}
          </button>
        ))}
      </span>
    </li>
  )
}

interface OpenedProps extends Exclude<Opened, 'new'> {
  readonly show: (key: string) => void
  readonly closed: () => void
}

function Opened({ what, apiKey, show, closed }: OpenedProps) {
  const words = useWords(keysWords)
  const [grace, setGrace] = useState('86400')
  const path = `/api_keys/${apiKey.id}` as const
  if (what === 'edit') return <KeyForm apiKey={apiKey} made={show} closed={closed} />
  if (what === 'revoke') {
    return (
      <FormDialog
        title={words.revokeTitle(apiKey.name)}
        action={words.revoke}
        isDangerous
        request={() => callTo('DELETE', path)}
        closed={closed}
      >
        <p>{words.revokeText}</p>
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={words.rotateTitle(apiKey.name)}
      action={words.rotate}
      request={() => callTo('POST', `${path}/rotate`, { grace_seconds: Number(grace) })}
      done={(answer) => show(answer.key)}
      closed={closed}
    >
      <p>{words.rotateText}</p>
      <ChoiceField
        label={words.grace}
        name="grace_seconds"
        value={grace}
        set={setGrace}
        options={Object.entries(words.graces).map(([id, name]) => ({ id, name }))}
      />
    </FormDialog>
  )
}

/** A new key, this once. */
function ShownKey({ text, closed }: { readonly text: string; readonly closed: () => void }) {
  const words = useWords(keysWords)
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <Dialog ref={dialog} title={words.shownTitle} closed={closed}>
      <div className="inside">
        <p>{words.shownText}</p>
        <label className="field">
          <span>{words.theKey}</span>
          <input readOnly value={text} onFocus={({ target }) => target.select()} />
        </label>
        <div className="row">
          <CopyButton text={text} />
          <button type="button" className="button primary" onClick={() => dialog.current?.close()}>
            {words.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
