import type { Problem } from '../domain/input/problem.ts'
import { inReadingOrder, keepsReadingOrder } from '../domain/text/one-line.ts'
import { problemText } from '../wording/texts.ts'

const controls = /[^\P{Cc}\n\t]+/gu

/** Why a text is not the same once it is clean; null if it is. */
export function cleaning(what: string, text: string, longest: number): string | null {
  const changes = [
    ...(text.search(controls) >= 0 ? ['has spaces in place of control characters'] : []),
    ...(keepsReadingOrder(text) ? [] : ['is without the signs that turn the order of reading around']),
    ...(plain(text).length > longest ? [`is cut to ${longest} characters`] : []),
  ]
  return changes.length === 0 ? null : `${what} ${changes.join(' and ')}.`
}

/** A text without the characters that names must not have, cut to a length. */
export function clean(text: string, longest: number): string {
  const whole = plain(text)
  if (whole.length <= longest) return whole
  // Not within a pair of surrogates, nor within what turns the order of reading around and back.
  return plain(whole.slice(0, longest).replace(/[\ud800-\udbff]$/, ''))
}

function plain(text: string): string {
  return inReadingOrder(text.replaceAll(controls, ' ')).trim()
}

export function messagesOf(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ error, facts, expected }) =>
    [problemText(error, 'en', facts ?? {}), expected?.en ?? ''].join(' ').trim(),
  )
}

/** `data.extended_settings.assertions[0].path` → `assertions` */
export function settingOf(field: string | undefined): string | null {
  return /^data\.\w+\.(\w+)/.exec(field ?? '')?.[1] ?? null
}

/** A text as a regular expression (RE2) that finds it. */
export function patternOf(text: string, isCaseSensitive = true): string {
  const quoted = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (sign) => `\\${sign}`)
  return isCaseSensitive ? quoted : `(?i)${quoted}`
}
