import { useFormat } from '../reader.tsx'
import { TextField } from './fields.tsx'

interface DateProps {
  readonly label: string
  /** Its path in the body of the request. */
  readonly name: string
  /** `2026-11-23`; empty for none. */
  readonly value: string
  readonly set: (date: string) => void
  readonly hint?: string
  /** Called when the field loses the focus. */
  readonly left?: () => void
}

/** A day. Browsers write the field in their own language, so the day stands below it in that of the console. */
export function DateField({ value, hint, ...common }: DateProps) {
  const format = useFormat()
  const day = Number.isNaN(Date.parse(value)) ? undefined : format.day(value)
  const hints = [day, hint].filter((text) => text !== undefined)
  const shown = hints.length === 0 ? undefined : hints.join(' · ')
  return <TextField {...common} type="date" max="9999-12-31" value={value} hint={shown} />
}
