import { test } from 'vitest'
import { expectAgreementAround, patience } from './season.ts'

test('every event, status change and second is as specified while clocks are set back', { timeout: patience }, () =>
  expectAgreementAround(Date.UTC(2026, 9, 25)),
)
