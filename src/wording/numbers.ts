import type { Language } from './language.ts'

const formats = {
  pl: formatsOf('pl'),
  en: formatsOf('en'),
} as const satisfies Readonly<Record<Language, ReturnType<typeof formatsOf>>>

function formatsOf(language: Language) {
  return {
    plain: new Intl.NumberFormat(language, { useGrouping: 'always', maximumFractionDigits: 3 }),
    exact: new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 }),
  }
}

/** `12 345,678` */
export function formatNumber(value: number, language: Language): string {
  return formats[language].plain.format(value)
}

/**
 * `99,950 %`, the form of availability everywhere. Three decimals show that it is rounded down, so 100 % and 0 % have
 * none. The console writes it likewise (web/format/format.ts).
 */
export function formatPercent(value: number, language: Language): string {
  // The quotient of a share has a last digit that is not its own.
  const down = Math.floor(value * 1000 + 1e-6) / 1000
  const shown = formats[language][value === 100 || value === 0 ? 'plain' : 'exact'].format(down)
  return language === 'pl' ? `${shown}\u00a0%` : `${shown}%`
}
