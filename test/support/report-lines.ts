import { stripVTControlCharacters } from 'node:util'

export interface SkippedTest {
  readonly file: string
  readonly name: string
  readonly reason: string
}

export interface FailedTest {
  readonly name: string
  readonly errors: readonly { readonly message: string }[]
}

/** A message longer than this says the rest where the failure was printed first. */
const messageLines = 6
const failuresSaid = 20

/** A line for each test, or one for all tests of a file that were skipped for the same reason. */
export function linesOfSkips(skipped: readonly SkippedTest[]): string[] {
  const alike = new Map<string, SkippedTest[]>()
  for (const test of skipped) {
    const key = `${test.file}\n${test.reason}`
    alike.set(key, [...(alike.get(key) ?? []), test])
  }
  return [...alike.values()].flatMap((tests) =>
    tests.slice(0, 1).map(({ file, name, reason }) => {
      const tested = tests.length === 1 ? name : `${tests.length} tests`
      return `skipped: ${file} > ${tested}: ${reason}`
    }),
  )
}

/** Each failure by its name with the beginning of its message, indented. */
export function linesOfFailures(failed: readonly FailedTest[]): string[] {
  const lines = failed.slice(0, failuresSaid).flatMap(({ name, errors }) => {
    const message = stripVTControlCharacters(errors.map((error) => error.message).join('\n'))
    const beginning = message.split('\n').slice(0, messageLines)
    return [`failed: ${name}`, ...beginning.map((line) => `  ${line}`)]
  })
  const more = failed.length - failuresSaid
  return more > 0 ? [...lines, `failed: ${more} more`] : lines
}
