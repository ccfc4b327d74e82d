import { useState } from 'react'
import { useTerms } from '../../parts/terms.ts'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { CronPreview } from './cron-preview.tsx'
import type { Draft, Formats } from './draft.ts'
import { DurationField } from './duration-field.tsx'
import { Field } from './field.tsx'
import { heartbeatWords } from './heartbeat-words.ts'

/** Settings with fields of their own. */
export const heartbeatSettings: ReadonlySet<string> = new Set(['period', 'cron', 'time_zone', 'grace', 'max_run_time'])

interface HeartbeatProps {
  readonly formats: Formats
  readonly settings: Draft['settings']
  readonly change: (settings: Draft['settings']) => void
}

/** When a heartbeat reports in, and how late it may be. */
export function HeartbeatFields({ formats, settings, change }: HeartbeatProps) {
  const words = useWords(heartbeatWords)
  const [isCron, setCron] = useState(settings['cron'] !== undefined)
  const setAll = (values: Readonly<Record<string, string | undefined>>) => {
    const entries = Object.entries({ ...settings, ...values })
    change(Object.fromEntries(entries.flatMap(([id, value]) => (value === undefined ? [] : [[id, value] as const]))))
  }
  const length = (wanted: 'period' | 'grace' | 'max_run_time') =>
    formats
      .filter(({ setting_id }) => setting_id === wanted)
      .map(({ setting_id: id, label, description, default: standard }) => (
        <DurationField
          key={id}
          name={`extended_settings.${id}`}
          label={label}
          hint={description}
          value={settings[id] === undefined ? undefined : String(settings[id])}
          standard={standard === null ? null : Number(standard)}
          change={(seconds) => setAll({ [id]: seconds })}
        />
      ))
  return (
    <div className="fields">
      <Field name="rhythm" label={words.rhythm}>
        {(control) => (
          <select
            {...control}
            value={isCron ? 'cron' : 'period'}
            onChange={({ target }) => {
              setCron(target.value === 'cron')
              setAll({ cron: undefined, time_zone: undefined, period: undefined })
            }}
          >
            <option value="period">{words.rhythms.period}</option>
            <option value="cron">{words.rhythms.cron}</option>
          </select>
        )}
      </Field>
      {isCron ? <CronFields {...{ formats, settings }} set={setAll} /> : length('period')}
      {length('grace')}
      {length('max_run_time')}
    </div>
  )
}

interface CronProps {
  readonly formats: Formats
  readonly settings: Draft['settings']
  readonly set: (values: Readonly<Record<string, string | undefined>>) => void
}

function CronFields({ formats, settings, set }: CronProps) {
  const words = useWords(heartbeatWords)
  const zones = useTerms('time_zones')
  const { account } = useReader()
  const line = String(settings['cron'] ?? '')
  const zoneId = String(settings['time_zone'] ?? '')
  const shownId = zoneId === '' ? account.time_zone_id : zoneId
  const told = (id: string) => {
    const format = formats.find(({ setting_id }) => setting_id === id)
    return { name: `extended_settings.${id}`, label: format?.label, hint: format?.description }
  }
  const zone = zones.find(({ id }) => id === shownId)?.name
  return (
    <>
      <Field {...told('cron')}>
        {(control) => (
          <input
            type="text"
            className="mono"
            autoComplete="off"
            spellCheck={false}
            placeholder="30 2 * * *"
            {...control}
            value={line}
            onChange={({ target }) => set({ cron: target.value === '' ? undefined : target.value })}
          />
        )}
      </Field>
      <Field {...told('time_zone')}>
        {(control) => (
          <select
            {...control}
            value={zoneId}
            onChange={({ target }) => set({ time_zone: target.value === '' ? undefined : target.value })}
          >
            <option value="">{words.ownersZone}</option>
            {zones.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {zone === undefined ? null : <CronPreview line={line} zone={zone} />}
    </>
  )
}
