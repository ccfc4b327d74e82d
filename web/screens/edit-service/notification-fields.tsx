import { useState } from 'react'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import type { Draft } from './draft.ts'
import { useAvailableTypes, usePackageChannels, useTerms } from './edit-queries.ts'
import { Field } from './field.tsx'
import { QuietHoursField } from './quiet-hours-field.tsx'
import { editWords } from './words.ts'

interface NotificationProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
}

type Terms = readonly { readonly id: string; readonly name: string; readonly description: string }[]

const secondsOf: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 }

/** Seconds of a mode such as `after_5_minutes`; those without a delay come first. */
function delayOf(id: string): number {
  const [, count, unit] = /^after_(\d+)_(second|minute|hour)s?(?:_|$)/.exec(id) ?? []
  return unit === undefined ? (id === 'off' ? -2 : -1) : Number(count) * (secondsOf[unit] ?? 1)
}

function byDelay(terms: Terms): Terms {
  return terms.toSorted((one, other) => delayOf(one.id) - delayOf(other.id))
}

/** When and how to notify; the group decides whom. */
export function NotificationFields({ draft, change }: NotificationProps) {
  const words = useWords(editWords)
  const channels = useTerms('notification_channels')
  const conditions = useTerms('notification_conditions')
  const modes = useTerms('notification_modes')
  const recoveryModes = useTerms('recovery_notification_modes')
  const ofPackage = usePackageChannels()
  const allowed = ofPackage.data?.available_notification_channel_ids
  const failed = [channels, conditions, modes, recoveryModes, ofPackage].filter(({ error }) => error !== null)
  // As the API chooses for a new service.
  const usual = useAvailableTypes(draft.group_id).data?.find((one) => one.service_type_id === draft.type_id)
  const chosen = draft.notification_channel_ids ?? usual?.default_notification_channel_ids ?? []
  return (
    <section className="card">
      <header>
        <h2>{words.notifications}</h2>
      </header>
      {failed[0] === undefined ? null : (
        <Trouble error={failed[0].error} again={() => void Promise.all(failed.map(({ refetch }) => refetch()))} />
      )}
      <div className="inside fields">
        <Several
          name="notification_channel_ids"
          label={words.channels}
          terms={channels.data?.filter(({ id }) => chosen.includes(id) || (allowed?.includes(id) ?? true)) ?? []}
          likely={usual?.default_notification_channel_ids ?? []}
          chosen={chosen}
          choose={(notification_channel_ids) => change({ notification_channel_ids })}
        />
        <Several
          name="notification_condition_ids"
          label={words.conditions}
          terms={conditions.data ?? []}
          chosen={draft.notification_condition_ids ?? usual?.default_notification_condition_ids ?? []}
          choose={(notification_condition_ids) => change({ notification_condition_ids })}
        />
        <One
          name="notification_mode_id"
          label={words.mode}
          terms={byDelay(modes.data ?? [])}
          chosen={draft.notification_mode_id ?? usual?.default_notification_mode_id ?? ''}
          choose={(notification_mode_id) => change({ notification_mode_id })}
        />
        <One
          name="recovery_notification_mode_id"
          label={words.recoveryMode}
          terms={byDelay(recoveryModes.data ?? [])}
          chosen={draft.recovery_notification_mode_id ?? usual?.default_recovery_notification_mode_id ?? ''}
          choose={(recovery_notification_mode_id) => change({ recovery_notification_mode_id })}
        />
        <QuietHoursField
          hours={draft.silent_hours}
          groupId={draft.group_id}
          change={(silent_hours) => change({ silent_hours })}
        />
      </div>
    </section>
  )
}

interface ChoiceProps<Chosen> {
  readonly name: string
  readonly label: string
  readonly terms: Terms
  readonly chosen: Chosen
  readonly choose: (chosen: Chosen) => void
}

interface SeveralProps extends ChoiceProps<readonly string[]> {
  /** Shown first, with what was chosen when the form was opened; the others are folded. Default: all. */
  readonly likely?: readonly string[]
}

function Several({ name, label, terms, likely, chosen, choose }: SeveralProps) {
  const words = useWords(editWords)
  const [chosenFirst] = useState(chosen)
  const isFirst = ({ id }: Terms[number]) => likely === undefined || likely.includes(id) || chosenFirst.includes(id)
  const others = terms.filter((term) => !isFirst(term))
  const box = (term: Terms[number]) => (
    <label key={term.id} className="row" title={term.description}>
      <input
        type="checkbox"
        checked={chosen.includes(term.id)}
        onChange={({ target }) => {
          const rest = chosen.filter((id) => id !== term.id)
          choose(target.checked ? [...rest, term.id] : rest)
        }}
      />
      {term.name}
    </label>
  )
  return (
    <Field name={name} label={label} isSet>
      {() => (
        <>
          {terms.filter(isFirst).map(box)}
          {others.length === 0 ? null : (
            <details>
              <summary>{words.otherChannels(others.length)}</summary>
              {others.map(box)}
            </details>
          )}
        </>
      )}
    </Field>
  )
}

function One({ name, label, terms, chosen, choose }: ChoiceProps<string>) {
  return (
    <Field name={name} label={label} hint={terms.find(({ id }) => id === chosen)?.description}>
      {(control) => (
        <select {...control} value={chosen} onChange={({ target }) => choose(target.value)}>
          {terms.map(({ id, name: text }) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
