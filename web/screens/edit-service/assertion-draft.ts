import type { Comparison, Source } from './assertion-words.ts'

/** An assertion in the form; a value that was not edited keeps its type. */
export interface AssertionDraft {
  readonly source: Source
  readonly path: string | null
  readonly comparison: Comparison
  readonly value: string | number | boolean | null
  readonly severity: 'failure' | 'degraded'
}

export const mostAssertions = 20

const equality = ['equals', 'not_equals'] as const
const order = ['less', 'greater'] as const
const texts = ['contains', 'not_contains', 'matches', 'not_matches'] as const
const presence = ['exists', 'not_exists'] as const
const emptiness = ['is_empty', 'is_not_empty'] as const
const all = [...equality, ...order, ...texts, ...presence, ...emptiness] as const

/** The comparisons that the form offers. The API judges, and a test holds the two together. */
export function comparisonsFor(source: Source, path: string | null): readonly Comparison[] {
  switch (source) {
    case 'status':
      return [...equality, ...order]
    case 'time':
      return order
    case 'body':
      return [...equality, ...texts, ...emptiness]
    case 'ip':
      return [...equality, ...texts]
    case 'certificate':
      return path === 'days_left' ? [...equality, ...order] : [...equality, ...texts]
    default:
      return all
  }
}

export function hasPath(source: Source): source is 'header' | 'json' | 'xml' | 'certificate' {
  return source === 'header' || source === 'json' || source === 'xml' || source === 'certificate'
}

export function hasValue(comparison: Comparison): boolean {
  return ![...presence, ...emptiness].some((one) => one === comparison)
}

export const newAssertion: AssertionDraft = {
  ...{ source: 'json', path: '$.status', comparison: 'equals', value: '', severity: 'failure' },
}

/** The assertion with a change, brought to what fits its source. */
export function changed(before: AssertionDraft, part: Partial<AssertionDraft>): AssertionDraft {
  const next = { ...before, ...part }
  const isOther = next.source !== before.source
  const path = !hasPath(next.source) ? null : isOther ? (next.source === 'certificate' ? 'days_left' : '') : next.path
  const allowed = comparisonsFor(next.source, path)
  const comparison = allowed.includes(next.comparison) ? next.comparison : (allowed[0] ?? next.comparison)
  return { ...next, path, comparison, value: hasValue(comparison) ? (next.value ?? '') : null }
}

/** The form keeps the list as its JSON, like any other setting's text. */
export function readAssertions(json: string | boolean | undefined): readonly AssertionDraft[] {
  return typeof json === 'string' ? (JSON.parse(json) as readonly AssertionDraft[]) : []
}

export function writtenAssertions(assertions: readonly AssertionDraft[]): string | undefined {
  return assertions.length === 0 ? undefined : JSON.stringify(assertions)
}
