import type { Problem } from '../input/problem.ts'
import { parseScenario, type Scenario, type ScenarioStep } from './scenario.ts'

/** Secret values by name. They never appear in a read, an artifact, a log or a message. */
export type Secrets = ReadonlyMap<string, string>

const reference = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g

/**
 * Reads lines of `name=value`; the value is everything after the first `=`. Undefined if a line has another form or a
 * name repeats.
 */
export function parseSecrets(text: string): Secrets | undefined {
  const secrets = new Map<string, string>()
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') continue
    const match = /^\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*=(\P{Cc}+)$/u.exec(line)
    if (match === null || secrets.has(match[1] ?? '')) return undefined
    secrets.set(match[1] ?? '', match[2] ?? '')
  }
  return secrets
}

/** The text with each `{{name}}` replaced by its secret. `written` escapes the value for its place. */
export function withSecrets(text: string, secrets: Secrets, written = (value: string) => value): string {
  return text.replaceAll(reference, (whole, name: string) => {
    const value = secrets.get(name)
    return value === undefined ? whole : written(value)
  })
}

/** The places where a step takes secrets: the typed text and the address. */
function placesOf(step: ScenarioStep): readonly (readonly [member: string, text: string])[] {
  if (step.type === 'change') return [['value', step.value]]
  return step.type === 'navigate' ? [['url', step.url]] : []
}

/** Problems: incorrect_value for each reference to a missing secret. @param field pointer to the recording */
function secretProblems(scenario: Scenario, secrets: Secrets, field: string): readonly Problem[] {
  return scenario.steps.flatMap((step, index) =>
    placesOf(step).flatMap(([member, text]) => {
      const isMissing = [...text.matchAll(reference)].some(([, name]) => !secrets.has(name ?? ''))
      const problem: Problem = {
        error: 'incorrect_value',
        field: `${field}.steps[${index}].${member}`,
        facts: { detail: 'scenario_secret' },
      }
      return isMissing ? [problem] : []
    }),
  )
}

/** Problems between the settings `scenario` and `secrets`; each alone has been checked before. */
export function scenarioSettingProblems(
  settings: Readonly<Record<string, unknown>>,
  pointer: string,
): readonly Problem[] {
  const { scenario: json, secrets: lines } = settings
  if (typeof json !== 'string') return []
  const { scenario } = parseScenario(json, `${pointer}.scenario`)
  const secrets = typeof lines === 'string' ? parseSecrets(lines) : new Map<string, string>()
  if (scenario === null || secrets === undefined) return []
  return secretProblems(scenario, secrets, `${pointer}.scenario`)
}
