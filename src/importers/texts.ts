import type { Problem } from '../domain/problem.ts'
import { problemText } from '../wording/texts.ts'

/** A text without the characters that names must not have, cut to a length. */
export function clean(text: string, longest: number): string {
  const plain = text.replaceAll(/[^\P{Cc}\n\t]+/gu, ' ').trim()
  // Not within a pair of surrogates.
  return plain.length <= longest
    ? plain
    : plain
        .slice(0, longest)
        .replace(/[\ud800-\udbff]$/, '')
        .trim()
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
