import type { ReactNode } from 'react'
import type { SettingFormat } from '../../api/answers.ts'
import { useWords } from '../../words/words.ts'
import { AssertionFields } from './assertion-fields.tsx'
import { assertionWords } from './assertion-words.ts'
import { type Formats, isAssertions, isNumberList, isSecret, numberListText } from './draft.ts'
import { Field } from './field.tsx'
import { editWords } from './words.ts'

/** Common settings; the rest is folded. */
const common = new Set([
  'scenario',
  'secrets',
  'query_name',
  'query_type',
  'port',
  'timeout',
  'reply_timeout',
  'degraded_response_time',
  'http_method',
  'content',
  'accepted_statuses',
  'content_regex',
  'certificate_days',
  'warning_days',
  'expected_answer_regex',
  'device',
  'start_tls',
])

type Settings = Readonly<Record<string, string | boolean>>

interface SettingsProps {
  readonly formats: Formats
  readonly settings: Settings
  readonly isNew: boolean
  readonly change: (settings: Settings) => void
}

/** The settings of the type as the API describes them. */
export function SettingFields({ formats, settings, isNew, change }: SettingsProps) {
  const words = useWords(editWords)
  const named = useWords(assertionWords)
  const set = (id: string, value: string | boolean | undefined) => {
    const others = Object.entries(settings).filter(([name]) => name !== id)
    change(Object.fromEntries(value === undefined ? others : [...others, [id, value]]))
  }
  const shown = (format: SettingFormat) => (
    <SettingField
      key={format.setting_id}
      format={format}
      value={settings[format.setting_id]}
      isNew={isNew}
      set={(value) => set(format.setting_id, value)}
    />
  )
  const hasLogins = formats.some(({ setting_id }) => setting_id === 'bearer_token')
  const lists = formats.filter(isAssertions)
  const folded = (ids: readonly string[]) => formats.filter(({ setting_id }) => ids.includes(setting_id))
  const apart = new Set([...(hasLogins ? Object.values(logins).flat() : []), ...lists.map((one) => one.setting_id)])
  const advanced = formats.filter(({ setting_id }) => !common.has(setting_id) && !apart.has(setting_id))
  return (
    <>
      <div className="fields">{formats.filter(({ setting_id }) => common.has(setting_id)).map(shown)}</div>
      {lists.map(({ setting_id: id, label, description }) => (
        <AssertionFields
          key={id}
          {...{ label, description }}
          name={`extended_settings.${id}`}
          value={settings[id]}
          set={(value) => set(id, value)}
        />
      ))}
      {hasLogins
        ? loginNames.map((name) => (
            <Fold key={name} title={named.logins[name]} formats={folded(logins[name])} {...{ settings, shown }} />
          ))
        : null}
      <Fold title={words.advanced} formats={advanced} {...{ settings, shown }} />
    </>
  )
}

/** The settings of each way to log in to an API. */
const logins = {
  basic: ['username', 'password'],
  bearer: ['bearer_token'],
  oauth: [
    ...['oauth_token_url', 'oauth_client_id', 'oauth_client_secret', 'oauth_scope', 'oauth_client_authentication'],
  ],
  certificate: ['client_certificate', 'client_key', 'client_key_passphrase'],
} as const satisfies Readonly<Record<string, readonly string[]>>
const loginNames = ['basic', 'bearer', 'oauth', 'certificate'] as const

interface FoldProps {
  readonly title: string
  readonly formats: Formats
  readonly settings: Settings
  readonly shown: (format: SettingFormat) => ReactNode
}

/** Settings that few services need; it says how many differ from the default. */
function Fold({ title, formats, settings, shown }: FoldProps) {
  const words = useWords(editWords)
  const changed = formats.filter(({ setting_id }) => settings[setting_id] !== undefined).length
  return (
    <details>
      <summary>
        {title} <span className="hint">{changed === 0 ? '' : words.changedCount(changed)}</span>
      </summary>
      <div className="fields">{formats.map(shown)}</div>
    </details>
  )
}

interface SettingProps {
  readonly format: SettingFormat
  readonly value: string | boolean | undefined
  readonly isNew: boolean
  readonly set: (value: string | boolean | undefined) => void
}

function asSentence(text: string): string {
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`
}

function SettingField({ format, value, isNew, set }: SettingProps) {
  const words = useWords(editWords)
  const { setting_id: id, label, unit, description } = format
  const limits = isNumberList(format) ? '' : words.limits(format)
  const isKept = isSecret(format) && !isNew
  const isRemoved = isKept && value === ''
  return (
    <Field
      name={`extended_settings.${id}`}
      isRequired={format.is_required}
      label={unit === null ? label : `${label} (${unit})`}
      hint={`${description} ${isRemoved ? words.secretRemoved : isKept ? words.secretKept : asSentence(limits)}`.trim()}
      aside={
        // A required setting has no default to return to.
        format.is_required ? null : value !== undefined ? (
          <span className="changed">
            {isSecret(format) ? null : words.changed}
            <button type="button" className="button plain small" onClick={() => set(undefined)}>
              {words.reset}
              <span className="only-read">: {label}</span>
            </button>
          </span>
        ) : isKept ? (
          <button type="button" className="button plain small" onClick={() => set('')}>
            {words.secretRemove}
            <span className="only-read">: {label}</span>
          </button>
        ) : null
      }
    >
      {(control) => <SettingControl control={control} {...{ format, value, set }} />}
    </Field>
  )
}

function SettingControl({
  control,
  format,
  value,
  set,
}: Omit<SettingProps, 'isNew'> & { readonly control: Parameters<Parameters<typeof Field>[0]['children']>[0] }) {
  const words = useWords(editWords)
  const { default: standard, suggested_form_element: element, type } = format
  if (type === 'boolean') {
    const isOn = value ?? standard === true
    return (
      <label className="row switch">
        <input
          type="checkbox"
          {...control}
          checked={isOn === true}
          onChange={({ target }) => set(target.checked === standard ? undefined : target.checked)}
        />
        {words.yes}
      </label>
    )
  }
  const choose = (text: string) => set(text === '' || text === String(standard) ? undefined : text)
  if (format.enum !== null) {
    return (
      <select {...control} value={String(value ?? standard ?? '')} onChange={({ target }) => choose(target.value)}>
        {standard === null ? <option value="">{words.none}</option> : null}
        {format.enum.map((one) => (
          <option key={one} value={String(one)}>
            {one}
          </option>
        ))}
      </select>
    )
  }
  const text = {
    ...control,
    value: String(value ?? ''),
    placeholder: standard === null ? '' : String(standard),
    autoComplete: element === 'password' ? 'new-password' : 'off',
    // The API judges lengths and says what is wrong; a text that is pasted is never cut.
    onChange: ({ target }: { readonly target: { readonly value: string } }) => set(target.value || undefined),
  }
  if (isNumberList(format)) {
    const usual = numberListText(standard)
    const chosen = ({ target }: { readonly target: { readonly value: string } }) =>
      set(target.value === usual ? undefined : target.value)
    return <input type="text" {...text} value={String(value ?? usual)} inputMode="numeric" onChange={chosen} />
  }
  if (element === 'textarea') return <textarea rows={4} spellCheck={false} {...text} />
  const isNumber = type === 'integer' || type === 'number'
  return (
    <input
      type={element === 'password' ? 'password' : 'text'}
      inputMode={isNumber ? 'decimal' : undefined}
      spellCheck={false}
      {...text}
    />
  )
}
