import fc from 'fast-check'
import { expect, test } from 'vitest'
import { phaseAdvanced, phaseEnded, phaseOf, type ReportProgress, reportFailed } from './report-progress.ts'

/** A new row of the table. */
const newReport: ReportProgress = {
  generating_status: 'pending',
  generating_progress: 0,
  rendering_status: 'pending',
  rendering_progress: 0,
  status: 'pending',
  progress: 0,
}

test('goes from pending over fifty percent to the end', () => {
  const begun = phaseAdvanced(newReport, 0, 1)
  expect(begun).toMatchObject({ generating_status: 'in_progress', status: 'in_progress', progress: 0 })
  expect(phaseAdvanced(begun, 1, 2)).toMatchObject({ generating_progress: 50, progress: 25 })
  const generated = phaseEnded(begun)
  expect(generated).toEqual({
    generating_status: 'completed',
    generating_progress: 100,
    rendering_status: 'pending',
    rendering_progress: 0,
    status: 'in_progress',
    progress: 50,
  })
  expect(phaseEnded(generated)).toMatchObject({ rendering_status: 'completed', status: 'completed', progress: 100 })
})

test('a failed report stays as far as it got', () => {
  const generated = phaseEnded(newReport)
  expect(reportFailed(generated)).toEqual({ ...generated, status: 'failed' })
  expect(phaseOf(reportFailed(generated))).toBeNull()
})

type Step = (report: ReportProgress) => ReportProgress
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(9), fc.nat(9)).map(
      ([done, total]): Step =>
        (report) =>
          phaseAdvanced(report, done, total),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>(phaseEnded) },
  { weight: 1, arbitrary: fc.constant<Step>(reportFailed) },
)

test('whatever happens, progress never goes back, and says fifty exactly when the data are there', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let report = newReport
      for (const next of steps) {
        const after = next(report)
        expect(after.progress).toBeGreaterThanOrEqual(report.progress)
        expect(after.progress >= 50).toBe(after.generating_status === 'completed')
        expect(after.progress === 100).toBe(after.rendering_status === 'completed')
        expect(after.status === 'completed').toBe(after.rendering_status === 'completed')
        // A finished report no longer changes.
        if (phaseOf(report) === null) expect(after).toEqual(report)
        report = after
      }
    }),
  )
})
