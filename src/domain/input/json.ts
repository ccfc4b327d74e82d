/** Reads JSON values of users by schemas of zod; every fault becomes a problem that points at the faulty member. */
import * as z from 'zod'
import { type Problem, unknownField } from './problem.ts'
import type { ProblemDetail } from './problem-codes.ts'

/** A problem without its place. */
export type JsonFault = Omit<Problem, 'field'>

/** True for a JSON object: not an array and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A fault at the field itself; each detail has its own sentence. */
export function incorrect(field: string, detail: ProblemDetail): Problem {
  return { error: 'incorrect_value', field, facts: { detail } }
}

/** For `refine` and `custom`: the problem of a value that the function refuses. */
export function refusal(fault: JsonFault): { readonly params: { readonly fault: JsonFault }; readonly abort: true } {
  return { params: { fault }, abort: true }
}

/** Lengths in UTF-16 units. Problems: incorrect_type, missing_value (too short), value_too_long. */
export function text({ minimum = 0, maximum }: { readonly minimum?: number; readonly maximum: number }): z.ZodString {
  return z.string().min(minimum, { abort: true }).max(maximum, { abort: true })
}

/** Both ends belong to the range. Problems: incorrect_type, incorrect_value. */
export function number(minimum: number, maximum: number, kind: 'number' | 'integer' = 'number'): z.ZodType<number> {
  const isOfKind = (value: unknown) => typeof value === 'number' && (kind === 'number' || Number.isInteger(value))
  return z
    .custom<number>(isOfKind, refusal({ error: 'incorrect_type', facts: { expected: kind } }))
    .refine(
      (value) => value >= minimum && value <= maximum,
      refusal({ error: 'incorrect_value', facts: { minimum, maximum } }),
    )
}

/** For `catchall`: members of other names are faults. */
export function noOthers(known: readonly string[]): z.ZodType<unknown> {
  return z.custom(() => false, { params: { known }, abort: false })
}

interface ListLimits {
  readonly minimum?: number
  readonly maximum: number
}

/** The items are read only if their number is right. Problems: incorrect_type, missing_value, value_too_long. */
export function list<T>(of: z.ZodType<T>, { minimum = 0, maximum }: ListLimits): z.ZodType<readonly T[]> {
  return z.array(z.unknown()).min(minimum).max(maximum).pipe(z.array(of))
}

/** The outcome of reading: the value, or at least one problem. */
export type Read<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value?: undefined; readonly problems: readonly Problem[] }

/** Each problem has its place below `field`: `data.steps[3].selectors`. */
export function readJson<T>(schema: z.ZodType<T>, given: unknown, field: string): Read<T> {
  const read = schema.safeParse(given, { reportInput: true })
  if (read.success) return { value: read.data, problems: [] }
  const problems = read.error.issues.flatMap((issue) => problemsOf(issue, field))
  // The library measures the length of a text that should be a list, too: the first fault of a place counts.
  return { problems: [...new Map(problems.toReversed().map((one) => [one.field, one])).values()].toReversed() }
}

type Issue = z.core.$ZodIssue

function problemsOf(issue: Issue, above: string): readonly Problem[] {
  const field = issue.path.reduce<string>(
    (at, part) => (typeof part === 'number' ? `${at}[${part}]` : `${at}.${String(part)}`),
    above,
  )
  if (issue.code === 'invalid_union') return fitting(issue).flatMap((inner) => problemsOf(inner, field))
  return [{ ...faultOf(issue), field }]
}

/** The faults of the alternative whose type fits; otherwise of the last. */
function fitting({ errors }: z.core.$ZodIssueInvalidUnion): readonly Issue[] {
  const fits = errors.find((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
  return fits ?? errors.at(-1) ?? []
}

function faultOf(issue: Issue): JsonFault {
  if (issue.code === 'custom') return faultOfRefusal(issue)
  if (issue.code === 'too_big') return { error: 'value_too_long', facts: { maximum: Number(issue.maximum) } }
  if (issue.code === 'too_small' || issue.input === undefined) return { error: 'missing_value' }
  if (issue.code === 'invalid_type') {
    const expected = issue.expected === 'record' ? 'object' : issue.expected
    return { error: 'incorrect_type', facts: { expected } }
  }
  if (issue.code !== 'invalid_value') return { error: 'incorrect_value' }
  return typeof issue.input === 'string'
    ? { error: 'incorrect_value', facts: { allowed: issue.values.map(String).join(', ') } }
    : { error: 'incorrect_type', facts: { expected: 'string' } }
}

function faultOfRefusal({ params, path, input }: z.core.$ZodIssueCustom): JsonFault {
  const known: unknown = params?.['known']
  if (Array.isArray(known)) return { error: 'unknown_field', facts: unknownField(String(path.at(-1)), known) }
  const fault: JsonFault | undefined = params?.['fault']
  return input === undefined || fault === undefined ? { error: 'missing_value' } : fault
}
