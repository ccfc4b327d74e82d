import { expect, test } from 'vitest'
import type { DayBar } from '../domain/service-level/history-bars.ts'
import { barsOf } from './bars.ts'
import type { ShownComponent, Snapshot } from './snapshot.ts'

const day = (failure: number, watched = 86_400): DayBar => {
  return { date: '2026-11-22', ok: watched - failure, failure, paused: 0, degraded: 0, failures: failure > 0 ? 1 : 0 }
}

function drawn(bars: readonly DayBar[]): string {
  const component = { bars, uptime: 99.9 } as unknown as ShownComponent
  return barsOf(component, { language: 'en' } as unknown as Snapshot).markup
}

test('a failure is as high as its share of the day, and says how long it was', () => {
  const markup = drawn([day(0), day(50), day(600), day(4000), day(40_000), { ...day(0, 0) }])
  expect(markup).toContain('<path class="ok" d="M0 5h15"/>')
  expect(markup).toContain('<path class="none" d="M20 5h3"/>')
  expect(markup).toContain('<path class="slight" d="M4 8.75h3"><title>2026-11-22: down for 50 s</title></path>')
  expect(markup).toContain('<path class="little" d="M8 7.5h3">')
  expect(markup).toContain('<path class="some" d="M12 6.25h3">')
  expect(markup).toContain('<path class="much" d="M16 5h3">')
  expect(markup).toMatch(/role="img" aria-label="Last 6 days: [^"]* Days with failures: 4\."/)
})

test('a short failure at the beginning of a day does not color all of it', () => {
  expect(drawn([day(50, 300)])).toContain('class="slight"')
})

test('a day of which nothing was good has no good ground, even one that has just begun', () => {
  const markup = drawn([day(0), day(3600, 3600), day(86_400)])
  expect(markup).toContain('<path class="ok" d="M0 5h3"/>')
  expect(markup).toContain('<path class="none" d="M4 5h3"/>')
  expect(markup).toContain('<path class="some" d="M4 6.25h3">')
  expect(markup).toContain('<path class="much" d="M8 5h3">')
})
