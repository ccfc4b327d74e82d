import { useLayoutEffect, useRef, useState } from 'react'
import { localText } from '../../format/zone.ts'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { ChoiceField, TextField } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icon.tsx'
import { nameOf, type ShownContact, type ShownRotation } from '../../parts/on-call/on-call-queries.ts'
import { Picks } from '../../parts/on-call/picks.tsx'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useTerms } from '../../parts/terms.ts'
import { Things } from '../../parts/things.tsx'
import { useFormat, useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'

interface RotationsProps {
  readonly rotations: readonly ShownRotation[]
  readonly contacts: readonly ShownContact[]
}

/** Contacts that take turns. */
export function Rotations({ rotations, contacts }: RotationsProps) {
  const words = useWords(onCallWords)
  return (
    <Things
      id="rotations"
      title={words.rotations}
      add={words.addRotation}
      collection="/rotations"
      things={rotations}
      empty={<p>{words.noRotations}</p>}
      show={(rotation) => (
        <>
          <b>{rotation.name}</b>
          <span>{rotation.contact_ids.map((id) => nameOf(contacts, id)).join(' → ')}</span>
          <span className="dim">{shiftText(words, rotation.shift)}</span>
        </>
      )}
      form={(rotation, closed) => <RotationForm rotation={rotation} contacts={contacts} closed={closed} />}
    />
  )
}

type Words = (typeof onCallWords)['en']

function shiftText(words: Words, { every, at, day_of_week: day }: ShownRotation['shift']): string {
  return every === 'day' ? words.shift(words.periods.day, at) : words.shiftOn(words.days[(day ?? 1) - 1] ?? '', at)
}

interface Draft {
  readonly name: string
  readonly zone: string
  readonly contactIds: readonly number[]
  readonly every: 'day' | 'week'
  readonly at: string
  readonly day: number
  readonly startsOn: string
}

function draftOf({
  name,
  time_zone_id: zone,
  contact_ids: contactIds,
  shift,
  starts_on: startsOn,
}: ShownRotation): Draft {
  const { every, at, day_of_week: day } = shift
  return { name, zone, contactIds, every, at, day: day ?? 1, startsOn }
}

function bodyOf({ name, zone, contactIds, every, at, day, startsOn }: Draft) {
  const shift = { every, at, ...(every === 'week' ? { day_of_week: day } : {}) }
  return { name, time_zone_id: zone, contact_ids: contactIds, shift, starts_on: startsOn }
}

interface FormProps {
  readonly rotation: ShownRotation | null
  readonly contacts: readonly ShownContact[]
  readonly closed: () => void
}

function RotationForm({ rotation, contacts, closed }: FormProps) {
  const words = useWords(onCallWords)
  const { account } = useReader()
  const { zone: here } = useFormat()
  const zones = useTerms('time_zones')
  const [draft, setDraft] = useState<Draft>(() =>
    rotation === null
      ? {
          ...{ name: '', zone: account.time_zone_id, contactIds: [], every: 'week', at: '09:00', day: 1 },
          startsOn: localText(Date.now(), here).slice(0, 10),
        }
      : draftOf(rotation),
  )
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const path = rotation === null ? null : `/rotations/${rotation.id}`
  return (
    <EditDialog
      title={rotation === null ? words.addRotation : words.editNamed(rotation.name)}
      action={words.save}
      collection="/rotations"
      editing={{ path, state: draft, set: setDraft, read: draftOf, body: bodyOf }}
      closed={closed}
    >
      <TextField label={words.name} name="name" value={draft.name} set={(name) => set({ name })} />
      <Picks
        legend={words.members}
        name="contact_ids"
        all={contacts}
        chosen={draft.contactIds}
        choose={(contactIds) => set({ contactIds })}
      />
      <Turns contacts={contacts} ids={draft.contactIds} set={(contactIds) => set({ contactIds })} />
      <ChoiceField
        label={words.every}
        name="shift.every"
        value={draft.every}
        options={[
          { id: 'day', name: words.periods.day },
          { id: 'week', name: words.periods.week },
        ]}
        set={(every) => set({ every: every === 'day' ? 'day' : 'week' })}
      />
      {draft.every === 'week' ? (
        <ChoiceField
          label={words.dayOfWeek}
          name="shift.day_of_week"
          value={String(draft.day)}
          options={words.days.map((name, index) => ({ id: index + 1, name }))}
          set={(day) => set({ day: Number(day) })}
        />
      ) : null}
      <TextField label={words.at} name="shift.at" placeholder="09:00" value={draft.at} set={(at) => set({ at })} />
      <TextField
        label={words.startsOn}
        name="starts_on"
        placeholder="2026-11-30"
        value={draft.startsOn}
        set={(startsOn) => set({ startsOn })}
      />
      <ChoiceField
        label={words.zone}
        name="time_zone_id"
        value={draft.zone}
        options={zones.length === 0 ? [{ id: draft.zone, name: draft.zone }] : zones}
        set={(zone) => set({ zone })}
      />
    </EditDialog>
  )
}

interface TurnsProps {
  readonly contacts: readonly ShownContact[]
  readonly ids: readonly number[]
  readonly set: (ids: readonly number[]) => void
}

/** One may come several times: the contact, and which of its turns it is. */
function turnKey(ids: readonly number[], at: number): string {
  return `${ids[at]}.${ids.slice(0, at).filter((id) => id === ids[at]).length}`
}

function buttonsOf(turn: Element | undefined): readonly HTMLButtonElement[] {
  return [...(turn?.querySelectorAll('button') ?? [])]
}

/** The order of those who take turns. */
function Turns({ contacts, ids, set }: TurnsProps) {
  const words = useWords(onCallWords)
  const list = useRef<HTMLOListElement>(null)
  const pressed = useRef<{ readonly at: number; readonly button: number } | null>(null)
  // An element that moves in a document loses the focus, and so does a button that becomes disabled.
  useLayoutEffect(() => {
    const buttons = pressed.current === null ? [] : buttonsOf(list.current?.children[pressed.current.at])
    const same = buttons[pressed.current?.button ?? 0]
    const chosen = same?.disabled === true ? buttons.find(({ disabled }) => !disabled) : same
    pressed.current = null
    chosen?.focus()
  })
  if (ids.length < 2) return null
  const moved = (from: number, to: number) => {
    const after = [...ids]
    const [one] = after.splice(from, 1)
    if (one !== undefined) after.splice(to, 0, one)
    pressed.current = { at: to, button: to < from ? 0 : 1 }
    set(after)
  }
  return (
    <fieldset className="turns">
      <legend>{words.turns}</legend>
      <ol ref={list}>
        {ids.map((id, index) => {
          const name = nameOf(contacts, id)
          return (
            <li key={turnKey(ids, index)}>
              <span>{name}</span>
              <button
                type="button"
                className="button small"
                aria-label={words.earlier(name)}
                disabled={index === 0}
                onClick={() => moved(index, index - 1)}
              >
                <Icon name="up" />
              </button>
              <button
                type="button"
                className="button small"
                aria-label={words.later(name)}
                disabled={index === ids.length - 1}
                onClick={() => moved(index, index + 1)}
              >
                <Icon name="down" />
              </button>
            </li>
          )
        })}
      </ol>
    </fieldset>
  )
}
