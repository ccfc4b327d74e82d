import { useMemo } from 'react'
import { createFormat } from '../../format/format.ts'
import { ChoiceField } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icon.tsx'
import { MomentField } from '../../parts/moment-field.tsx'
import { nameOf, type ShownContact, type ShownRotation } from '../../parts/on-call/on-call-queries.ts'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'

/** Somebody takes over for a while; a later replacement wins over an earlier one. */
export interface OverrideDraft {
  /** Tells it from the others while they are removed. */
  readonly key: number
  readonly contactId: number | null
  /** Unix milliseconds; null: what was typed is no moment. */
  readonly from: number | null
  readonly to: number | null
}

type Override = ShownRotation['overrides'][number]

let keys = 0
function nextKey(): number {
  keys += 1
  return keys
}

export function draftOfOverride({ contact_id: contactId, start_time: from, end_time: to }: Override): OverrideDraft {
  return { key: nextKey(), contactId, from: Date.parse(from), to: Date.parse(to) }
}

export function bodyOfOverride({ contactId, from, to }: OverrideDraft) {
  const text = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return { contact_id: contactId, start_time: text(from), end_time: text(to) }
}

interface ComingProps {
  readonly rotation: ShownRotation
  readonly contacts: readonly ShownContact[]
  /** IANA name. */
  readonly zone: string
}

/** The replacements that are not over, by the clocks by which the rotation hands over. */
export function ComingOverrides({ rotation: { overrides }, contacts, zone }: ComingProps) {
  const words = useWords(onCallWords)
  const { language, zone: here } = useReader()
  const { moment } = useMemo(() => createFormat(language, zone), [language, zone])
  return overrides
    .filter(({ end_time: to }) => Date.parse(to) > Date.now())
    .map(({ contact_id: id, start_time: from, end_time: to }) => (
      <span key={`${id} ${from} ${to}`}>
        {words.replaces(nameOf(contacts, id), moment(from), moment(to))}
        {zone === here ? null : <span className="hint"> {zone}</span>}
      </span>
    ))
}

const minute = 60_000
const day = 24 * 60 * minute

function newOverride(contacts: readonly ShownContact[]): OverrideDraft {
  const now = Math.floor(Date.now() / minute) * minute
  return { key: nextKey(), contactId: contacts[0]?.id ?? null, from: now, to: now + day }
}

interface OverridesProps {
  readonly contacts: readonly ShownContact[]
  readonly overrides: readonly OverrideDraft[]
  readonly set: (overrides: readonly OverrideDraft[]) => void
  /** IANA name of the zone by whose clocks the rotation hands over. */
  readonly zone: string
}

export function Overrides({ contacts, overrides, set, zone }: OverridesProps) {
  const words = useWords(onCallWords)
  const change = (at: number, part: Partial<OverrideDraft>) =>
    set(overrides.map((one, index) => (index === at ? { ...one, ...part } : one)))
  if (contacts.length === 0) return null
  return (
    <fieldset className="overrides" data-field="overrides">
      <legend>{words.overrides}</legend>
      <p className="hint">{words.clocksOf(zone)}</p>
      {overrides.map((override, index) => (
        <OverrideFields
          key={override.key}
          {...{ contacts, override, index, zone }}
          change={(part) => change(index, part)}
          remove={() => set(overrides.toSpliced(index, 1))}
        />
      ))}
      <button type="button" className="button small" onClick={() => set([...overrides, newOverride(contacts)])}>
        <Icon name="add" />
        {words.addOverride}
      </button>
    </fieldset>
  )
}

interface FieldsProps {
  readonly contacts: readonly ShownContact[]
  readonly override: OverrideDraft
  readonly index: number
  readonly zone: string
  readonly change: (part: Partial<OverrideDraft>) => void
  readonly remove: () => void
}

function OverrideFields({ contacts, override, index, zone, change, remove }: FieldsProps) {
  const words = useWords(onCallWords)
  const { contactId, from, to } = override
  const isGone = contactId !== null && !contacts.some(({ id }) => id === contactId)
  return (
    <fieldset className="override">
      <legend>{words.override(index + 1)}</legend>
      <ChoiceField
        label={words.whoReplaces}
        name={`overrides[${index}].contact_id`}
        value={String(contactId ?? '')}
        options={[...(isGone ? [{ id: contactId, name: nameOf(contacts, contactId) }] : []), ...contacts]}
        set={(id) => change({ contactId: Number(id) })}
      />
      <div className="moments">
        <MomentField
          label={words.from}
          name={`overrides[${index}].start_time`}
          value={from}
          change={(at) => change({ from: at })}
          zone={zone}
        />
        <MomentField
          label={words.to}
          name={`overrides[${index}].end_time`}
          value={to}
          isWrong={from !== null && to !== null && to <= from}
          change={(at) => change({ to: at })}
          zone={zone}
        />
      </div>
      <button type="button" className="button small" onClick={remove}>
        {words.removeOverride(index + 1)}
      </button>
    </fieldset>
  )
}
