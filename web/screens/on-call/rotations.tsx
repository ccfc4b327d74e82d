import { useState } from 'react'
import { callTo } from '../../api/calls.ts'
import { isZone, localDate, mondayOf } from '../../format/zone.ts'
import { DateField } from '../../parts/date-field.tsx'
import { EditDialog } from '../../parts/edit-dialog.tsx'
import { ChoiceField, TextField } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icon.tsx'
import {
  nameOf,
  type ShownContact,
  type ShownEscalation,
  type ShownRotation,
} from '../../parts/on-call/on-call-queries.ts'
import { Picks } from '../../parts/on-call/picks.tsx'
import { onCallWords } from '../../parts/on-call/words.ts'
import { useNames, useTerms } from '../../parts/terms.ts'
import { Things } from '../../parts/things.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { CalendarLink } from './calendar-link.tsx'
import { bodyOfOverride, ComingOverrides, draftOfOverride, type OverrideDraft, Overrides } from './overrides.tsx'
import { Turns } from './turns.tsx'

const hour = 3_600_000

interface RotationsProps {
  readonly rotations: readonly ShownRotation[]
  readonly contacts: readonly ShownContact[]
  readonly escalations: readonly ShownEscalation[]
}

/** Contacts that take turns. */
export function Rotations({ rotations, contacts, escalations }: RotationsProps) {
  const words = useWords(onCallWords)
  const zoneName = useNames('time_zones')
  const clocksOf = useClocks()
  const named = new Set(escalations.flatMap(({ steps }) => steps.flatMap((step) => step.rotation_ids)))
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
          <span className="dim">{shiftText(words, rotation.shift, zoneName(rotation.time_zone_id))}</span>
          <ComingOverrides {...{ rotation, contacts }} zone={clocksOf(rotation.time_zone_id)} />
          {named.has(rotation.id) ? null : (
            <span className="unconfirmed">
              <Icon name="warning" />
              {words.inNoEscalation}
            </span>
          )}
          <CalendarLink rotation={rotation} />
        </>
      )}
      form={(rotation, closed) => <RotationForm rotation={rotation} contacts={contacts} closed={closed} />}
    />
  )
}

/** The IANA name of a zone by its id; that of the reader until the zones are read. */
function useClocks(): (zoneId: string) => string {
  const { zone: here } = useReader()
  const zoneName = useNames('time_zones')
  return (zoneId) => (isZone(zoneName(zoneId)) ? zoneName(zoneId) : here)
}

type Words = (typeof onCallWords)['en']

function shiftText(words: Words, { every, at, day_of_week: day }: ShownRotation['shift'], zone: string): string {
  const local = `${at} ${zone}`
  return every === 'day'
    ? words.shift(words.periods.day, local)
    : words.shiftOn(words.days[(day ?? 1) - 1] ?? '', local)
}

interface Draft {
  readonly name: string
  readonly zone: string
  readonly contactIds: readonly number[]
  readonly every: 'day' | 'week'
  readonly at: string
  readonly day: number
  readonly startsOn: string
  readonly overrides: readonly OverrideDraft[]
}

function draftOf({
  name,
  time_zone_id: zone,
  contact_ids: contactIds,
  shift,
  starts_on: startsOn,
  overrides,
}: Omit<ShownRotation, 'permissions'>): Draft {
  const { every, at, day_of_week: day } = shift
  return {
    ...{ name, zone, contactIds, every, at, day: day ?? 1, startsOn },
    overrides: overrides.map(draftOfOverride),
  }
}

function bodyOf({ name, zone, contactIds, every, at, day, startsOn, overrides }: Draft) {
  const shift = { every, at, ...(every === 'week' ? { day_of_week: day } : {}) }
  return {
    ...{ name, time_zone_id: zone, contact_ids: contactIds, shift, starts_on: startsOn },
    overrides: overrides.map(bodyOfOverride),
  }
}

interface FormProps {
  readonly rotation: ShownRotation | null
  readonly contacts: readonly ShownContact[]
  readonly closed: () => void
}

function RotationForm({ rotation, contacts, closed }: FormProps) {
  const words = useWords(onCallWords)
  const { account, zone: here } = useReader()
  const clocksOf = useClocks()
  const zones = useTerms('time_zones')
  const [draft, setDraft] = useState<Draft>(() =>
    rotation === null
      ? {
          ...{ name: '', zone: account.time_zone_id, contactIds: [], every: 'week', at: '09:00', day: 1 },
          // The hand-over that was last, so that somebody is on duty at once.
          startsOn: mondayOf(localDate(Date.now() - 9 * hour, here)),
          overrides: [],
        }
      : draftOf(rotation),
  )
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const path = rotation === null ? null : (`/rotations/${rotation.id}` as const)
  return (
    <EditDialog
      title={rotation === null ? words.addRotation : words.editNamed(rotation.name)}
      action={words.save}
      making={callTo('POST', '/rotations', bodyOf(draft))}
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
      <TextField label={words.at} name="shift.at" type="time" value={draft.at} set={(at) => set({ at })} />
      <DateField
        label={words.startsOn}
        name="starts_on"
        hint={words.startsOnHint}
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
      <Overrides
        contacts={contacts}
        overrides={draft.overrides}
        set={(overrides) => set({ overrides })}
        zone={clocksOf(draft.zone)}
      />
    </EditDialog>
  )
}
