import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathSteps } from './path-steps.ts'
import { parseScenario } from './scenario.ts'

function namesOf(steps: readonly object[]): readonly string[] {
  const { scenario, problems } = parseScenario(JSON.stringify({ title: 't', steps }), 'at')
  if (scenario === null) throw new Error(JSON.stringify(problems))
  return pathSteps(scenario)
}

const offsets = { offsetX: 1, offsetY: 1 }
const shape = { deviceScaleFactor: 1, isMobile: false, hasTouch: false, isLandscape: false }
const titled = [{ type: 'navigation', url: 'https://example.com/', title: 'Sklep' }]

test.each([
  ['its own title', { type: 'navigate', url: '/', title: 'Open the shop', assertedEvents: titled }, 'Open the shop'],
  ['the navigation’s title', { type: 'click', selectors: ['#a'], ...offsets, assertedEvents: titled }, 'Sklep'],
  [
    'an empty title is none',
    { type: 'navigate', url: '/x', title: ' ', assertedEvents: [{ type: 'navigation', title: '' }] },
    'navigate /x',
  ],
  ['an element’s name', { type: 'click', selectors: ['#a', ['aria/Log in']], ...offsets }, 'click Log in'],
  ['an element’s selector', { type: 'hover', selectors: [['my-menu', 'li']] }, 'hover my-menu li'],
  ['a prefix says nothing', { type: 'change', selectors: ['xpath///input'], value: '{{word}}' }, 'change //input'],
  ['a reference stays one', { type: 'navigate', url: '/?key={{word}}' }, 'navigate /?key={{word}}'],
  ['a viewport', { type: 'setViewport', width: 800, height: 600, ...shape }, 'setViewport 800×600'],
  ['a key', { type: 'keyDown', key: 'Enter' }, 'keyDown Enter'],
  ['a place', { type: 'scroll', y: 300 }, 'scroll 0, 300'],
  ['a page', { type: 'close' }, 'close main'],
  ['lines become one', { type: 'waitForExpression', expression: 'a ===\n  b' }, 'waitForExpression a === b'],
  ['what cannot be kept is left out', { type: 'keyUp', key: 'a', title: 'a\0b\n' }, 'a\ufffdb'],
])('%s', (_why, step, name) => {
  expect(namesOf([step])).toEqual([name])
})

test('steps of one name are numbered', () => {
  const wait = { type: 'keyDown', key: 'a', title: 'Wait' }
  expect(namesOf([wait, { ...wait, title: 'Wait (2)' }, wait, wait])).toEqual([
    'Wait',
    'Wait (2)',
    'Wait (3)',
    'Wait (4)',
  ])
})

test('there is a name for each step, different from the others, and not long', () => {
  const step = fc.record({
    type: fc.constant('waitForExpression'),
    expression: fc.string({ minLength: 1, maxLength: 300 }),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 10 }), (steps) => {
      const names = namesOf(steps)
      expect(names).toHaveLength(steps.length)
      expect(new Set(names).size).toBe(steps.length)
      expect(Math.max(...names.map((name) => [...name].length))).toBeLessThan(130)
    }),
  )
})
