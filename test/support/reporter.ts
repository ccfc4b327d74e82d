import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { consoleFiles } from './chosen-files.ts'
import { linesOfFailures, linesOfSkips, type SkippedTest } from './report-lines.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

function reasonOfSkip(test: TestCase): string | undefined {
  const result = test.result()
  return (result.state === 'skipped' ? result.note : undefined) ?? reasonInName(test.fullName)
}

/** Where a whole group, or a test before it began, was left out: its name says why, as `(skipped: why)`. */
export function reasonInName(name: string): string | undefined {
  return /\(skipped: (.+?)\)(?= > |$)/.exec(name)?.[1]
}

function countTests(modules: readonly TestModule[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    // A file that cannot be loaded, or whose hooks fail, counts as one more failure.
    if (module.errors().length > 0) counts.failed += 1
    for (const suite of module.children.allSuites()) if (suite.errors().length > 0) counts.failed += 1
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state !== 'pending') counts[state] += 1
    }
  }
  return counts
}

/** All that failed, a file's own errors before those of its groups and tests. */
function failuresOf(modules: readonly TestModule[]): { name: string; errors: readonly { message: string }[] }[] {
  return modules.flatMap((module) => {
    const file = module.relativeModuleId
    const suites = [...module.children.allSuites()].map((one) => ({ name: one.fullName, errors: one.errors() }))
    const tests = [...module.children.allTests('failed')].map((one) => ({
      name: one.fullName,
      errors: one.result().errors ?? [],
    }))
    const inside = [...suites.filter((one) => one.errors.length > 0), ...tests]
    return [
      ...(module.errors().length > 0 ? [{ name: file, errors: module.errors() }] : []),
      ...inside.map(({ name, errors }) => ({ name: `${file} > ${name}`, errors })),
    ]
  })
}

/** Says why tests were skipped and which failed, and ends with the line that the continuous integration reads. */
export default class implements Reporter {
  #isSelection = false

  onInit(vitest: Vitest): void {
    this.#isSelection = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly { message: string }[]): void {
    const skipped: SkippedTest[] = []
    for (const test of modules.flatMap((module) => [...module.children.allTests('skipped')])) {
      const reason = reasonOfSkip(test) ?? (this.#isSelection ? undefined : 'no reason given')
      if (reason !== undefined) skipped.push({ file: test.module.relativeModuleId, name: test.fullName, reason })
    }
    for (const line of linesOfSkips(skipped)) console.log(line)
    if (process.env['TEST_CHOICE'] === 'commit') {
      const { run, left } = consoleFiles()
      const all = run.length + left.length
      console.log(`The commit chose ${run.length} of ${all} files of test/console; npm run test:long runs all of them.`)
    }
    // Once more, and last: who keeps only the end of a long log still learns which test it was.
    const outside = unhandledErrors.map((error) => ({ name: 'outside of a test', errors: [error] }))
    for (const line of linesOfFailures([...failuresOf(modules), ...outside])) console.log(line)
    const counts = countTests(modules)
    const tail = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    console.log(`${counts.passed} passed, ${counts.failed + unhandledErrors.length} failed${tail}`)
  }
}
