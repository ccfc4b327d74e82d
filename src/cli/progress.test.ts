import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showProgress } from './progress.ts'

let said: string[]

beforeEach(() => {
  said = []
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
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
  progress.end()
  said = []
  const slow = showProgress(days)
  slow.begin(30)
  for (let second = 0; second < 11; second++) {
    slow.at(second / 100, 'the first day')
    vi.advanceTimersByTime(1000)
  }
  slow.end()
  expect(said).toEqual(['0% of 30 days · the first day\n', '0% of 30 days · the first day\n'])
  said = []
  const short = showProgress(days)
  short.begin(2)
  short.at(1, 'half')
  short.at(2, 'all')
  short.end()
  expect(said).toEqual([])
})

test('what goes before the first percent is told by itself, however long nothing is heard of it', () => {
  const progress = showProgress(days)
  progress.begin(30)
  progress.at(0, 'the database starts')
  vi.advanceTimersByTime(1000)
  progress.at(0, 'the company moves in')
  vi.advanceTimersByTime(11_000)
  expect(said).toEqual(Array.from({ length: 2 }, () => '0% of 30 days · the company moves in\n'))
  progress.end()
  vi.advanceTimersByTime(60_000)
  expect(said).toHaveLength(2)
})
