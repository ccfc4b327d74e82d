import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../../parts/fields.tsx'
import { useGroupNames } from '../../parts/group-names.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { keysWords } from './keys-words.ts'

export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly group_ids: readonly number[] | null
  readonly tags: readonly string[] | null
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly previous_expires_at: string | null
  readonly can_confirm_itself: boolean
  readonly client_id: string | null
  readonly prefix: string
}

const scopes = ['read', 'write', 'notifications', 'reports', 'account', 'admin'] as const
type Scope = (typeof scopes)[number]

interface State {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly groupIds: readonly number[]
  readonly tags: string
  readonly expiresAt: string | null
  readonly confirmsItself: boolean
}

const dayMs = 86_400_000
const inDays = (days: number) => new Date(Math.floor((Date.now() + days * dayMs) / 1000) * 1000).toISOString()

function stateOf(key: ApiKey | null): State {
  if (key === null)
    return { name: '', scopes: ['read'], groupIds: [], tags: '', expiresAt: inDays(90), confirmsItself: false }
  const { name, scopes: chosen, group_ids: groupIds, tags, expires_at: expiresAt } = key
  const confirmsItself = key.can_confirm_itself
  return { name, scopes: chosen, groupIds: groupIds ?? [], tags: (tags ?? []).join(', '), expiresAt, confirmsItself }
}

function bodyOf({ name, scopes: chosen, groupIds, tags, expiresAt, confirmsItself }: State) {
  const named = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  return {
    name,
    scopes: chosen,
    group_ids: groupIds.length === 0 ? null : groupIds,
    tags: named.length === 0 ? null : named,
    expires_at: expiresAt,
    can_confirm_itself: confirmsItself,
  }
}

function toggled<T>(list: readonly T[], one: T, isOn: boolean): readonly T[] {
  return isOn ? [...list, one] : list.filter((other) => other !== one)
}

interface FormProps {
  /** Null: a new one. */
  readonly apiKey: ApiKey | null
  readonly made: (key: string) => void
  readonly closed: () => void
}

/** Makes a key or changes one: its scopes, the groups and tags that it sees, and its end. */
export function KeyForm({ apiKey, made, closed }: FormProps) {
  const words = useWords(keysWords)
  const { isAdministrator } = useReader()
  const [state, set] = useState(() => stateOf(apiKey))
  const path = apiKey === null ? null : (`/api_keys/${apiKey.id}` as const)
  const offered = scopes.filter((scope) => (scope === 'admin') === isAdministrator)
  return (
    <EditDialog
      title={apiKey === null ? words.addTitle : words.editTitle(apiKey.name)}
      action={apiKey === null ? words.make : words.save}
      editing={{ path, state, set, read: stateOf, body: bodyOf }}
      making={callTo('POST', '/api_keys', bodyOf(state))}
      done={(answer) => {
        if (answer !== undefined) made(answer.key)
      }}
      closed={closed}
    >
      <TextField
        label={words.name}
        name="name"
        hint={words.nameHint}
        value={state.name}
        set={(name) => set({ ...state, name })}
      />
      <fieldset data-field="scopes">
        <legend>{words.scopes}</legend>
        {offered.map((scope) => (
          <CheckField
            key={scope}
            label={words.scopeNames[scope]}
            checked={state.scopes.includes(scope)}
            set={(isOn) => set({ ...state, scopes: toggled(state.scopes, scope, isOn) })}
          />
        ))}
      </fieldset>
      {state.scopes.some((scope) => scope !== 'read') ? (
        <fieldset data-field="can_confirm_itself">
          <legend>{words.assistants}</legend>
          <span className="hint">{words.assistantsHint}</span>
          <CheckField
            label={words.confirmsItself}
            checked={state.confirmsItself}
            set={(confirmsItself) => set({ ...state, confirmsItself })}
          />
        </fieldset>
      ) : null}
      {isAdministrator ? null : <Narrowing state={state} set={set} />}
      <ExpiryField state={state} set={set} isNew={apiKey === null} />
    </EditDialog>
  )
}

interface PartProps {
  readonly state: State
  readonly set: (state: State) => void
}

function Narrowing({ state, set }: PartProps) {
  const words = useWords(keysWords)
  const groups = useGroupNames()
  return (
    <>
      <fieldset data-field="group_ids">
        <legend>{words.groups}</legend>
        <span className="hint">{words.groupsHint}</span>
        {groups.map(({ id, name }) => (
          <CheckField
            key={id}
            label={name}
            checked={state.groupIds.includes(id)}
            set={(isOn) => set({ ...state, groupIds: toggled(state.groupIds, id, isOn) })}
          />
        ))}
      </fieldset>
      <TextField
        label={words.tags}
        name="tags"
        hint={words.tagsHint}
        value={state.tags}
        set={(tags) => set({ ...state, tags })}
      />
    </>
  )
}

function ExpiryField({ state, set, isNew }: PartProps & { readonly isNew: boolean }) {
  const words = useWords(keysWords)
  const [chosen, choose] = useState(isNew ? '90' : 'keep')
  const [kept] = useState(state.expiresAt)
  const options = Object.entries(words.expiries).filter(([id]) => !isNew || id !== 'keep')
  const choice = (id: string) => {
    choose(id)
    set({ ...state, expiresAt: id === 'keep' ? kept : id === 'never' ? null : inDays(Number(id)) })
  }
  return (
    <ChoiceField
      label={words.expiry}
      name="expires_at"
      value={chosen}
      set={choice}
      options={options.map(([id, name]) => ({ id, name }))}
    />
  )
}
