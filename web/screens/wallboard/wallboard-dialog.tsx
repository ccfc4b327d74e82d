import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Wallboard } from '../../api/answers.ts'
import { callTo, change, sendChange } from '../../api/calls.ts'
import { dateAfter, iso, localDate, startOfDay } from '../../format/zone.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { useGroupNames } from '../../parts/group-names.ts'
import { MomentField } from '../../parts/moment-field.tsx'
import type { Change } from '../../parts/use-change.ts'
import { partWords } from '../../parts/words.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { wallboardWords } from './words.ts'

export type Asked = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly wallboard: Wallboard }

interface DialogProps {
  readonly asked: Asked
  /** `made`: the wallboard whose link is to be made; null for none. */
  readonly close: (made: number | null) => void
}

interface Draft {
  readonly name: string
  readonly groupIds: readonly number[] | null
  readonly showsAddresses: boolean
  readonly hasEnd: boolean
  readonly endsAt: number | null
}

function draftOf(asked: Asked, zone: string): Draft {
  const month = startOfDay(dateAfter(localDate(Date.now(), zone), 30), zone)
  if (asked.kind === 'new') return { name: '', groupIds: null, showsAddresses: false, hasEnd: false, endsAt: month }
  const { name, group_ids: groupIds, shows_addresses: showsAddresses, expires_at: ends } = asked.wallboard
  return { name, groupIds, showsAddresses, hasEnd: ends !== null, endsAt: ends === null ? month : Date.parse(ends) }
}

function bodyOf({ name, groupIds, showsAddresses, hasEnd, endsAt }: Draft) {
  return {
    name,
    group_ids: groupIds,
    shows_addresses: showsAddresses,
    expires_at: hasEnd && endsAt !== null ? iso(endsAt) : null,
  }
}

function callOf(asked: Asked, draft: Draft): Change {
  if (asked.kind === 'new') return callTo('POST', '/wallboards', bodyOf(draft))
  const path = `/wallboards/${asked.wallboard.id}` as const
  return asked.kind === 'remove' ? callTo('DELETE', path) : callTo('PUT', path, bodyOf(draft))
}

/** Adds a wallboard, changes one, or asks before one is deleted. */
export function WallboardDialog({ asked, close }: DialogProps) {
  const words = useWords(wallboardWords)
  const parts = useWords(partWords)
  const { zone } = useReader()
  const client = useQueryClient()
  const dialog = useRef<HTMLDialogElement>(null)
  const made = useRef<number | null>(null)
  const [draft, setDraft] = useState(() => draftOf(asked, zone))
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const call = callOf(asked, draft)
  const changing = useMutation({
    mutationFn: async () => {
      if (asked.kind === 'new') return (await change('POST', '/wallboards', bodyOf(draft))).id
      await sendChange(call)
      return null
    },
    onSuccess: async (id) => {
      made.current = id
      await client.invalidateQueries({ queryKey: ['wallboards'] })
      dialog.current?.close()
    },
  })
  const title =
    asked.kind === 'remove'
      ? words.sure(asked.wallboard.name)
      : asked.kind === 'edit'
        ? words.editTitle
        : words.newTitle
  return (
    <Dialog ref={dialog} title={title} closed={() => close(made.current)}>
      <Form
        outcome={changing}
        submit={() => changing.mutate()}
        call={asked.kind === 'remove' ? null : call}
        action={asked.kind === 'remove' ? words.remove : words.save}
        look={asked.kind === 'remove' ? 'danger' : 'primary'}
        managed={asked.kind === 'new' ? null : asked.wallboard}
        isRemoval={asked.kind === 'remove'}
        isReady={asked.kind === 'remove' || !draft.hasEnd || draft.endsAt !== null}
        more={
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {parts.cancel}
          </button>
        }
      >
        {asked.kind === 'remove' ? <p>{words.sureHint}</p> : <Fields draft={draft} set={set} />}
      </Form>
    </Dialog>
  )
}

interface FieldsProps {
  readonly draft: Draft
  readonly set: (part: Partial<Draft>) => void
}

function Fields({ draft, set }: FieldsProps) {
  const words = useWords(wallboardWords)
  const { zone } = useReader()
  return (
    <>
      <TextField label={words.name} name="name" value={draft.name} maxLength={200} set={(name) => set({ name })} />
      <Groups draft={draft} set={set} />
      <label className="row">
        <input
          type="checkbox"
          checked={draft.showsAddresses}
          onChange={({ target }) => set({ showsAddresses: target.checked })}
        />
        {words.showsAddresses}
      </label>
      <fieldset>
        <legend className="label">{words.ends}</legend>
        {([false, true] as const).map((hasEnd) => (
          <label key={String(hasEnd)} className="row">
            <input type="radio" name="ends" checked={draft.hasEnd === hasEnd} onChange={() => set({ hasEnd })} />
            {hasEnd ? words.onDay : words.never}
          </label>
        ))}
      </fieldset>
      {draft.hasEnd ? (
        <MomentField
          label={words.endsOn}
          name="expires_at"
          value={draft.endsAt}
          zone={zone}
          change={(endsAt) => set({ endsAt })}
        />
      ) : null}
    </>
  )
}

function Groups({ draft, set }: FieldsProps) {
  const words = useWords(wallboardWords)
  const groups = useGroupNames()
  const chosen = draft.groupIds
  return (
    <fieldset>
      <legend className="label">{words.groups}</legend>
      <label className="row">
        <input type="radio" name="groups" checked={chosen === null} onChange={() => set({ groupIds: null })} />
        {words.allGroups}
      </label>
      <label className="row">
        <input
          type="radio"
          name="groups"
          checked={chosen !== null}
          onChange={() => set({ groupIds: groups.map(({ id }) => id) })}
        />
        {words.someGroups}
      </label>
      {chosen === null ? null : (
        <ul className="group-list">
          {groups.map(({ id, name }) => (
            <li key={id}>
              <label className="row">
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={({ target }) =>
                    set({ groupIds: target.checked ? [...chosen, id] : chosen.filter((one) => one !== id) })
                  }
                />
                <span>{name}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
