import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    teardownTimeout: 40_000,
    reporters: ['default', './test/support/reporter.ts'],
    projects: [
      { extends: true, test: { name: 'rules', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
      {
        extends: true,
        test: {
          name: 'program',
          include: ['test/**/*.test.ts'],
          globalSetup: ['./test/support/build-program.ts', './test/support/global-setup.ts'],
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
})
