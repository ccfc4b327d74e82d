import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { consoleFiles } from './chosen-files.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Where a whole group, or a test before it began, was left out: its name says why, as `(skipped: why)`. */
export function reasonInName(name: string): string | undefined {
  return /\(skipped: (.+?)\)(?= > |$)/.exec(name)?.[1]
}

function reasonOfSkip(test: TestCase): string | undefined {
  const result = test.result()
  return (result.state === 'skipped' ? result.note : undefined) ?? reasonInName(test.fullName)
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

/** Says why each test was skipped, and ends with the line that the continuous integration reads. */
export default class implements Reporter {
  #isSelection = false

  onInit(vitest: Vitest): void {
    this.#isSelection = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    for (const test of modules.flatMap((module) => [...module.children.allTests('skipped')])) {
      const reason = reasonOfSkip(test) ?? (this.#isSelection ? undefined : 'no reason given')
      if (reason !== undefined) console.log(`skipped: ${test.module.relativeModuleId} > ${test.fullName}: ${reason}`)
    }
    if (process.env['TEST_CHOICE'] === 'commit') {
      const { run, left } = consoleFiles()
      const all = run.length + left.length
      console.log(`The commit chose ${run.length} of ${all} files of test/console; npm run test:long runs all of them.`)
    }
    const { passed, failed, skipped } = countTests(modules)
    const tail = skipped > 0 ? `, ${skipped} skipped` : ''
    console.log(`${passed} passed, ${failed + unhandledErrors.length} failed${tail}`)
  }
}
