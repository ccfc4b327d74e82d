import type { ReportLabel, ReportRule } from '../../wording/catalogue.ts'
import { type Facts, fill } from '../../wording/fill.ts'
import type { Language } from '../../wording/language.ts'
import { formatLocal } from '../../wording/moments.ts'
import { formatNumber, formatPercent } from '../../wording/numbers.ts'
import { catalogues } from '../../wording/texts.ts'
import type { ReportScope } from '../document.ts'

/** The words of one language and the moments of one zone. */
export interface Worded {
  readonly label: (key: ReportLabel) => string
  readonly rule: (key: ReportRule, facts?: Facts) => { label: string; value: string }
  readonly kind: (type: ReportScope['type']) => string
  readonly section: (id: string) => string
  readonly weekDay: (day: number) => string
  readonly moment: (text: string) => string
  /** Without seconds if they are zero. */
  readonly minute: (text: string) => string
  readonly number: (value: number) => string
  readonly percent: (value: number | null) => string
}

export function wordingFor(language: Language, zone: string): Worded {
  const { labels, kinds, weekDays, rules } = catalogues[language].reports
  const sections: Readonly<Record<string, { name: string }>> = catalogues[language].dictionaries.report_sections
  return {
    label: (key) => labels[key],
    rule: (key, facts = {}) => ({ label: rules[key].label, value: glued(fill([rules[key].text], facts), language) }),
    kind: (type) => kinds[type],
    section: (id) => sections[id]?.name ?? id,
    weekDay: (day) => weekDays[day - 1] ?? '',
    moment: (text) => formatLocal(Date.parse(text), zone),
    minute: (text) => formatLocal(Date.parse(text), zone, Date.parse(text) % 60_000 === 0 ? 'minute' : 'second'),
    number: (value) => formatNumber(value, language),
    percent: (value) => (value === null ? labels.unknown : formatPercent(value, language)),
  }
}

/** In Polish a one-letter word must not end a line. */
export function glued(text: string, language: Language): string {
  return language === 'pl' ? text.replaceAll(/(?<=^|[\s(])([aiouwz]) /gi, '$1\u00a0') : text
}
