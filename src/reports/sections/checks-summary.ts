import { checksTogether, type Measures, noChecks } from '../measures.ts'

export function checksSummary({ byDayOfWeek }: Measures) {
  const { ok, error, unknown } = [...byDayOfWeek.values()].reduce(checksTogether, noChecks)
  return { ok, error, unknown }
}
