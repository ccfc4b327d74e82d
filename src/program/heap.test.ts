import { expect, test, vi } from 'vitest'
import { heapAlarm, sweepAll } from './heap.ts'

const mebibyte = 1_048_576

test('a heap that a sweep leaves almost full is told once, until there is room again', () => {
  const lines: unknown[] = []
  const note = (level: string) => (facts: object, message: string) =>
    void lines.push([level, facts, message.split(':')[0]])
  const look = heapAlarm({ warn: note('warn'), info: note('info') } as Parameters<typeof heapAlarm>[0])
  for (const used of [50, 84, 86, 99, 75, 90, 69, 60, 86]) look(used * mebibyte, 100 * mebibyte)
  expect(lines).toEqual([
    ['warn', { used_mib: 86, limit_mib: 100 }, 'The heap is almost full'],
    ['info', { used_mib: 69, limit_mib: 100 }, 'The heap has room again'],
    ['warn', { used_mib: 86, limit_mib: 100 }, 'The heap is almost full'],
  ])
})

test('the sweep empties the heap of what nobody uses', async () => {
  const remains: object[] = []
  const gone = new FinalizationRegistry(() => remains.push({}))
  gone.register({ text: 'unused'.repeat(1000) }, null)
  await sweepAll()
  await vi.waitFor(() => expect(remains).toHaveLength(1))
})
