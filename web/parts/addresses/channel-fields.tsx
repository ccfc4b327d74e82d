import type { ChannelField } from '../../api/answers.ts'
import { useWords } from '../../words/words.ts'
import { CheckField, ChoiceField, TextField } from '../fields.tsx'
import { notificationsWords } from './words.ts'

/** By the names of the fields; what is not there has its default. */
export type Settings = Readonly<Record<string, string | number | boolean | null>>

interface FieldsProps {
  readonly fields: readonly ChannelField[]
  readonly settings: Settings
  readonly set: (settings: Settings) => void
  /** The address is there: its secrets are kept unless others are typed. */
  readonly isSaved: boolean
}

/** The fields of the channel's address, as the API describes them. */
export function ChannelFields({ fields, settings, set, isSaved }: FieldsProps) {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      value={settings[field.name] ?? null}
      set={(value) => set({ ...settings, [field.name]: value })}
      isSaved={isSaved}
    />
  ))
}

interface OneProps {
  readonly field: ChannelField
  readonly value: Settings[string] | null
  readonly set: (value: string | number | boolean | null) => void
  readonly isSaved: boolean
}

function OneField({ field, value, set, isSaved }: OneProps) {
  const words = useWords(notificationsWords)
  const { name, type, label, description, required, choices } = field
  const standard = field.default as Settings[string]
  const common = { name: `settings.${name}`, label: required ? label : words.optional(label), hint: description }
  if (type === 'boolean') return <CheckField label={label} checked={(value ?? standard) === true} set={set} />
  if (type === 'choice') {
    const options = (choices ?? []).map((id) => ({ id, name: id }))
    return <ChoiceField {...common} label={label} options={options} value={String(value ?? standard)} set={set} />
  }
  const text = value === null || value === undefined ? '' : String(value)
  if (type === 'secret') {
    const placeholder = isSaved ? words.keptSecret : undefined
    return (
      <TextField
        {...common}
        type="password"
        autoComplete="new-password"
        value={text}
        set={(typed) => set(typed === '' && isSaved ? null : typed)}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
    )
  }
  return (
    <TextField
      {...common}
      inputMode={type === 'url' ? 'url' : type === 'integer' ? 'numeric' : 'text'}
      placeholder={standard === null || standard === undefined ? '' : String(standard)}
      value={text}
      set={(typed) => set(typed === '' ? null : typed)}
    />
  )
}
