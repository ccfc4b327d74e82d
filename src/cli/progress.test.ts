import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showProgress } from './progress.ts'

let said: string[]

beforeEach(() => {
  said = []
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said.push(String(text))
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const days = (count: number) => `${count} days`

test('where nobody watches, long work is told every ten percent or five seconds, and short work not at all', () => {
  const progress = showProgress(days)
  progress.begin(30)
  for (let hour = 0; hour < 30 * 24; hour++) {
    progress.at(hour / 24, `day ${Math.floor(hour / 24)}`)
    vi.advanceTimersByTime(hour < 360 ? 50 : 10)
  }
  expect(said[0]).toBe('10% of 30 days · day 3\n')
  expect(said.map((line) => Number.parseInt(line, 10))).toEqual([10, 20, 30, 40, 50, 77])
  said = []
  const slow = showProgress(days)
  slow.begin(30)
  for (let second = 0; second < 11; second++) {
    slow.at(second / 100, 'the first day')
    vi.advanceTimersByTime(1000)
  }
  expect(said).toEqual(['0% of 30 days · the first day\n', '0% of 30 days · the first day\n'])
  said = []
  const short = showProgress(days)
  short.begin(2)
  short.at(1, 'half')
  short.at(2, 'all')
  short.end()
  expect(said).toEqual([])
})
