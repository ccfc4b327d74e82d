import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/words.ts'
import type { Draft } from './draft.ts'
import { usePackageChannels, useTerms } from './edit-queries.ts'
import { Field } from './field.tsx'
import { editWords } from './words.ts'

interface NotificationProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
}

type Terms = readonly { readonly id: string; readonly name: string; readonly description: string }[]

/** Who hears of it is the group's matter; this is how and when. */
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
  const chosen =
    draft.notification_channel_ids ?? (allowed ?? []).filter((id) => id.startsWith('email') || id === 'sms')
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
          chosen={chosen}
          choose={(notification_channel_ids) => change({ notification_channel_ids })}
        />
        <Several
          name="notification_condition_ids"
          label={words.conditions}
          terms={conditions.data ?? []}
          chosen={draft.notification_condition_ids ?? ['failure', 'recovery']}
          choose={(notification_condition_ids) => change({ notification_condition_ids })}
        />
        <One
          name="notification_mode_id"
          label={words.mode}
          terms={modes.data ?? []}
          chosen={draft.notification_mode_id ?? 'default'}
          choose={(notification_mode_id) => change({ notification_mode_id })}
        />
        <One
          name="recovery_notification_mode_id"
          label={words.recoveryMode}
          terms={recoveryModes.data ?? []}
          chosen={draft.recovery_notification_mode_id ?? 'default'}
          choose={(recovery_notification_mode_id) => change({ recovery_notification_mode_id })}
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

function Several({ name, label, terms, chosen, choose }: ChoiceProps<readonly string[]>) {
  return (
    <Field name={name} label={label} isSet>
      {() =>
        terms.map((term) => (
          <label key={term.id} className="row" title={term.description}>
            <input
              type="checkbox"
              checked={chosen.includes(term.id)}
              onChange={({ target }) => {
                const others = chosen.filter((id) => id !== term.id)
                choose(target.checked ? [...others, term.id] : others)
              }}
            />
            {term.name}
          </label>
        ))
      }
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
