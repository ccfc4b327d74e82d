import { maximumProblems, type Problem } from '../domain/input/problem.ts'
import { isProblemSymbol, type ProblemSymbol, problemCode } from '../domain/input/problem-codes.ts'
import type { Language } from '../wording/language.ts'
import { problemDescription, problemText } from '../wording/texts.ts'

/** The one thing that edges throw. One place turns it into a response. */
export class ApiError extends Error {
  readonly problems: readonly Problem[]
  readonly headers: Readonly<Record<string, string>>

  constructor(problems: readonly Problem[], headers: Readonly<Record<string, string>> = {}) {
    super(problems.map((problem) => `${problem.error} ${problem.field ?? ''}`.trim()).join(', '))
    this.problems = problems
    this.headers = headers
  }
}

/** True for impossible problems that occurred all the same; they are logged like any other error. */
export function isFault({ error }: Problem): boolean {
  return error === 'internal_error'
}

/** Refuses the request with one problem. */
export function refuse(error: ProblemSymbol, field?: string, facts?: Problem['facts']): never {
  throw new ApiError([{ error, ...(field === undefined ? {} : { field }), ...(facts === undefined ? {} : { facts }) }])
}

/** Refuses the request with a problem as the rules said it. */
export function refuseWith(problem: Problem): never {
  throw new ApiError([problem])
}

/** Stops reading a request that already has as many problems as are told. */
export function refuseTooMany(problems: readonly Problem[]): void {
  if (problems.length >= maximumProblems) throw new ApiError(problems.slice(0, maximumProblems))
}

/** Throws when there is any problem. */
export function refuseAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ApiError(problems)
}

function symbolOf(problem: Problem): ProblemSymbol {
  return isProblemSymbol(problem.error) ? problem.error : 'internal_error'
}

/** The HTTP status of a list of problems: the first one's, except that a server fault outranks the rest. */
export function statusOf(problems: readonly Problem[]): number {
  const statuses = problems.map((problem) => problemCode(symbolOf(problem)).status)
  return statuses.find((status) => status >= 500) ?? statuses[0] ?? 500
}

/** The error body of the specification: one object per problem. */
export function problemBody(problems: readonly Problem[], language: Language): readonly Record<string, unknown>[] {
  return problems.map((problem) => {
    const symbol = symbolOf(problem)
    return {
      code: problemCode(symbol).code,
      error: symbol,
      description: problemDescription(symbol),
      ...(problem.field === undefined ? {} : { field: problem.field }),
      message: [problemText(symbol, language, problem.facts ?? {}), problem.expected?.[language] ?? '']
        .join(' ')
        .trim(),
    }
  })
}
