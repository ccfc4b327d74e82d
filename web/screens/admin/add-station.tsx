import { useState } from 'react'
import type { Schemas } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { prefix } from '../../api/prefix.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Reason } from '../../parts/reason.tsx'
import { useChange } from '../../parts/use-change.ts'
import { useWords } from '../../words/words.ts'
import { adminWords } from './words.ts'

export type Station = Schemas['admin_sensors']

/** A new station, from its name to the command that starts it. */
export function AddStation() {
  const words = useWords(adminWords)
  const [isAdding, setAdding] = useState(false)
  const [issued, setIssued] = useState<{ readonly name: string; readonly token: string } | null>(null)
  const { mutate, error } = useChange<{ readonly token: string }>()
  return (
    <div className="stack">
      <div className="row">
        <button type="button" className="button" onClick={() => setAdding(true)}>
          <Icon name="add" />
          {words.addStation}
        </button>
      </div>
      {error === null ? null : (
        <p className="problem" role="alert">
          <Reason error={error} />
        </p>
      )}
      {issued === null ? null : (
        <div className="card">
          <Command {...issued} done={() => setIssued(null)} />
        </div>
      )}
      {isAdding ? (
        <StationForm
          station={null}
          made={(id, name) =>
            mutate(callTo('POST', `/admin/sensors/${id}/token`), {
              onSuccess: (answer) => setIssued({ name, token: answer.token }),
            })
          }
          closed={() => setAdding(false)}
        />
      ) : null}
    </div>
  )
}

/** As it was typed where it is no number: the API says what is wrong with it. */
function degreesOf(typed: string): number | string | null {
  const text = typed.trim().replace(',', '.')
  if (text === '') return null
  const value = Number(text)
  return Number.isNaN(value) ? typed : value
}

interface FormProps {
  /** Null: a new one. */
  readonly station: Station | null
  readonly made?: (id: number, name: string) => void
  readonly closed: () => void
}

export function StationForm({ station, made, closed }: FormProps) {
  const words = useWords(adminWords)
  const [draft, setDraft] = useState({
    name: station?.name ?? '',
    city: station?.city ?? '',
    country: station?.country ?? '',
    latitude: station?.latitude?.toString() ?? '',
    longitude: station?.longitude?.toString() ?? '',
  })
  const field = (name: keyof typeof draft) => ({
    ...{ label: words[name], name, value: draft[name] },
    set: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
  })
  const body = { ...draft, latitude: degreesOf(draft.latitude), longitude: degreesOf(draft.longitude) }
  return (
    <FormDialog
      title={station === null ? words.addStation : words.editTitle(station.name)}
      action={station === null ? words.add : words.save}
      request={() =>
        station === null ? callTo('POST', '/admin/sensors', body) : callTo('PUT', `/admin/sensors/${station.id}`, body)
      }
      done={(answer) => {
        if (station === null) made?.((answer as { readonly id: number }).id, draft.name)
      }}
      closed={closed}
    >
      <TextField {...field('name')} />
      <TextField {...field('city')} />
      <TextField {...field('country')} />
      <TextField {...field('latitude')} inputMode="decimal" hint={words.latitudeHint} />
      <TextField {...field('longitude')} inputMode="decimal" hint={words.longitudeHint} />
    </FormDialog>
  )
}

interface CommandProps {
  readonly name: string
  readonly token: string
  readonly done: () => void
}

/** The command for the remote machine, with the token, which is shown only once. */
export function Command({ name, token, done }: CommandProps) {
  const words = useWords(adminWords)
  const text = `SENSOR_TOKEN=${token} npx latarnik sensor --server ${location.origin}${prefix}`
  return (
    <div className="inside stack" role="status">
      <p>{words.commandText(name)}</p>
      <textarea className="command" readOnly rows={3} aria-label={words.command} value={text} />
      <div className="row">
        <CopyButton text={text} isLarge />
        <button type="button" className="button" onClick={done}>
          {words.kept}
        </button>
      </div>
    </div>
  )
}
