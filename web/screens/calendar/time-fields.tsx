import { MomentField } from '../../parts/moment-field.tsx'
import { MinuteField, type WeekMinute } from '../../parts/week-minute-field.tsx'
import { useWords } from '../../words/words.ts'
import { nextMorning } from './week.ts'
import { calendarWords } from './words.ts'

export interface Times {
  readonly from: number | null
  readonly to: number | null
}

interface OnceProps extends Times {
  readonly zone: string
  readonly isBackwards: boolean
  readonly hasPresets: boolean
  readonly set: (times: Partial<Times>) => void
}

/** From one moment to another; the usual lengths begin now. */
export function OnceFields({ from, to, zone, isBackwards, hasPresets, set }: OnceProps) {
  const words = useWords(calendarWords)
  const preset = (name: 'quarter' | 'hour' | 'morning') => {
    const now = Math.floor(Date.now() / 1000) * 1000
    const ends = { quarter: now + 900_000, hour: now + 3_600_000, morning: nextMorning(now, zone) }
    set({ from: now, to: ends[name] })
  }
  return (
    <>
      {hasPresets ? (
        <fieldset className="row presets">
          <legend className="label">{words.presets}</legend>
          {(['quarter', 'hour', 'morning'] as const).map((name) => (
            <button key={name} type="button" className="button small" onClick={() => preset(name)}>
              {words[name]}
            </button>
          ))}
        </fieldset>
      ) : null}
      <div className="moments">
        <MomentField label={words.from} value={from} zone={zone} change={(at) => set({ from: at })} />
        <MomentField label={words.to} value={to} zone={zone} isWrong={isBackwards} change={(at) => set({ to: at })} />
      </div>
      {isBackwards ? (
        <p className="problem" role="alert">
          {words.backwards}
        </p>
      ) : null}
    </>
  )
}

interface WeeklyProps {
  readonly start: WeekMinute
  readonly end: WeekMinute
  /** The zones of the owners, as far as they are known. */
  readonly zones: readonly string[]
  readonly set: (part: { readonly start?: WeekMinute; readonly end?: WeekMinute }) => void
}

export function WeeklyFields({ start, end, zones, set }: WeeklyProps) {
  const words = useWords(calendarWords)
  return (
    <div className="moments">
      <MinuteField label={words.from} value={start} change={(minute) => set({ start: minute })} />
      <MinuteField label={words.to} value={end} change={(minute) => set({ end: minute })} />
      <p className="hint">{zones.length === 0 ? words.ownersZone : words.ownersZones(zones.join(', '))}</p>
    </div>
  )
}
