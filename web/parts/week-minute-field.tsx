import type { WeeklySuspension } from '../api/answers.ts'
import { useReader } from '../reader.tsx'
import { catalogue, useWords } from '../words/words.ts'
import './week-minute-field.css'

export type WeekMinute = WeeklySuspension['start_minute']

const fieldWords = catalogue({
  en: {
    day: (label: string) => `${label}: day of the week`,
    time: (label: string) => `${label}: time`,
  },
  pl: {
    day: (label: string) => `${label}: dzień tygodnia`,
    time: (label: string) => `${label}: godzina`,
  },
})

/** A Monday: the days of the week are named after its week. */
const someMonday = Date.UTC(2024, 0, 1)
const dayMs = 86_400_000

const two = (value: number) => String(value).padStart(2, '0')

function clockText({ hour, minute }: WeekMinute): string {
  return `${two(hour)}:${two(minute)}`
}

/** `Monday 06:00`, in the language. */
export function weekMinuteText(minute: WeekMinute, language: string): string {
  const names = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return `${names.format(someMonday + (minute.day_of_week - 1) * dayMs)} ${clockText(minute)}`
}

interface MinuteProps {
  readonly label: string
  readonly value: WeekMinute
  readonly change: (minute: WeekMinute) => void
}

/** A minute of the week. */
export function MinuteField({ label, value, change }: MinuteProps) {
  const words = useWords(fieldWords)
  const { language } = useReader()
  const names = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return (
    <fieldset className="week-minute">
      <legend>{label}</legend>
      <select
        aria-label={words.day(label)}
        value={value.day_of_week}
        onChange={({ target }) => change({ ...value, day_of_week: Number(target.value) })}
      >
        {[1, 2, 3, 4, 5, 6, 7].map((day) => (
          <option key={day} value={day}>
            {names.format(someMonday + (day - 1) * dayMs)}
          </option>
        ))}
      </select>
      <input
        type="time"
        required
        aria-label={words.time(label)}
        value={clockText(value)}
        onChange={({ target }) => {
          const [hour, minute] = target.value.split(':').map(Number)
          if (hour !== undefined && minute !== undefined) change({ ...value, hour, minute })
        }}
      />
    </fieldset>
  )
}
