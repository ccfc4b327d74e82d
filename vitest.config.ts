import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Minutes long: begun first, so that nobody waits for them alone at the end. */
const longest = /test\/(simulation|crash|disasters|browser)\//

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}

function rank({ moduleId }: TestSpecification): number {
  if (moduleId.includes('autumn')) return 0
  return longest.test(moduleId) ? 1 : 2
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    teardownTimeout: 40_000,
    reporters: ['default', './test/support/reporter.ts'],
    projects: [
      { extends: true, test: { name: 'rules', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
      {
        extends: true,
        test: {
          name: 'program',
          include: ['test/**/*.test.ts'],
          setupFiles: ['./test/support/statement-guard.ts'],
          globalSetup: ['./test/support/build-program.ts', './test/support/global-setup.ts'],
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
})
