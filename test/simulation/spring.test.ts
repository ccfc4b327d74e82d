import { test } from 'vitest'
import { expectAgreementAround, patience } from './season.ts'

test('every event, status change and second is as specified while clocks are set forward', { timeout: patience }, () =>
  expectAgreementAround(Date.UTC(2027, 2, 28)),
)
