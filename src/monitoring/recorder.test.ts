import { expect, test } from 'vitest'
import type { RecordableRound } from './recordable-round.ts'
import { Recorder, type RecorderParts } from './recorder.ts'

/** The rounds that a recorder keeps at most. */
const most = 20_000

test('a round that is dropped while its batch is recorded takes no other round along', async () => {
  const errors: unknown[] = []
  let isFirst = true
  const parts = {
    timers: { monotonic: () => 0, after: () => () => undefined },
    log: { error: (facts: unknown) => errors.push(facts) },
    outage: {
      guard: () => {
        // Meanwhile as many rounds end as are kept at all.
        for (let count = 0; isFirst && count < most; count++) recorder.add({} as RecordableRound)
        isFirst = false
        return Promise.resolve(true)
      },
    },
  } as unknown as RecorderParts
  const recorder = new Recorder(parts)
  recorder.add({} as RecordableRound)
  await recorder.flush()
  expect(errors).toHaveLength(1)
  expect(recorder.waiting).toBe(most)
  expect(recorder.room).toBe(0)
  await recorder.flush()
  expect(recorder.waiting).toBe(0)
  expect(recorder.room).toBe(most / 2)
})
