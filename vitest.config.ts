import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { consoleFiles } from './test/support/chosen-files.ts'
import { patiently } from './test/support/patience.ts'

/** These share a process with the files before them: they leave nothing behind, and loading the program costs more than most of them. */
const sharing =
  'auth|checks|console|contract|database|deploy|history|monitoring|notifications|presence|reports|rest|service-state|subscribers|telemetry|turns|wording'
/**
 * What replaces a module of others must not meet one that they have loaded; what counts the names of statements counts from
 * the first; what measures the memory of its process wants one that has done nothing yet; what takes a minute begins early;
 * what lets time pass for many processes has its own to itself.
 */
const alone = [
  'test/auth/login-cost.test.ts',
  'test/checks/endless.test.ts',
  'test/database/{damaged-dump,dump,embedded}.test.ts',
  'test/monitoring/processes.test.ts',
  'test/rest/faults.test.ts',
]
/** Minutes of work: begun first, so that nobody waits for them alone at the end. */
const longest = /test\/(simulation|crash)\/|stations\/network|console\/(journeys|roles|edit-service)/
/** They wait more than they work, or work in processes of their own: together with the longest they leave no core idle. */
const long = /test\/(disasters|browser|stations|message-bus|program|journeys|database\/(dump|embedded))/
/** `npm test` without a file's name leaves these to other commits and to the long form. */
const left = process.env['TEST_CHOICE'] === 'commit' ? consoleFiles().left : []
const projects = ['program', 'parts', 'rules']

/** The longest first; then by project, since a process is handed on only from one file to the next of its project. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  if (moduleId.includes('autumn')) return 0
  if (longest.test(moduleId)) return 1
  if (long.test(moduleId)) return 2
  return moduleId.includes('test/console/') ? 3 : 4 + projects.indexOf(project.name)
}

const onDatabase = {
  setupFiles: ['./test/support/statement-guard.ts'],
  globalSetup: ['./test/support/build-program.ts', './test/support/global-setup.ts'],
  testTimeout: 180_000,
  hookTimeout: 180_000,
}

export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    teardownTimeout: 40_000,
    // A busy machine takes its time; what is waited for comes, or the test fails.
    expect: { poll: patiently },
    reporters: ['default', './test/support/reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          ...onDatabase,
          name: 'program',
          include: [`test/!(${sharing})/**/*.test.ts`, 'test/*.test.ts', ...alone],
        },
      },
      {
        extends: true,
        test: {
          ...onDatabase,
          name: 'parts',
          include: [`test/@(${sharing})/**/*.test.ts`],
          exclude: [...alone, ...left],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'rules', include: ['{src,web}/**/*.test.ts'], isolate: false, testTimeout: 90_000 },
      },
    ],
  },
})
