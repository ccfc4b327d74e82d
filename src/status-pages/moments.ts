import type { Snapshot } from './snapshot.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

const parts = {
  moment: { dateStyle: 'long', timeStyle: 'short' },
  month: { month: 'long', year: 'numeric' },
} as const

function formatOf(language: string, zone: string, name: keyof typeof parts): Intl.DateTimeFormat {
  const key = `${language} ${zone} ${name}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const locale = language === 'en' ? 'en-GB' : language
  const made = new Intl.DateTimeFormat(locale, { timeZone: zone, ...parts[name] })
  formats.set(key, made)
  return made
}

type Place = Pick<Snapshot, 'language' | 'zone'>

/** `22 November 2026 at 14:05`, in the page's language and zone. */
export function momentText(at: number, { language, zone }: Place): string {
  return formatOf(language, zone, 'moment').format(at)
}

/** `22 November 2026 at 14:05–16:30`, in the page's language and zone. */
export function rangeText(from: number, until: number, { language, zone }: Place): string {
  return formatOf(language, zone, 'moment').formatRange(from, until)
}

/** `November 2026`, in the page's language and zone. */
export function monthText(at: number, { language, zone }: Place): string {
  return formatOf(language, zone, 'month').format(at)
}
