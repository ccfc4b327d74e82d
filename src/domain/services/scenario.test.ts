import { parse } from '@puppeteer/replay'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maximumSteps, parseScenario, stepTimeout } from './scenario.ts'

const navigate = { type: 'navigate', url: 'https://example.com/' }
const click = { type: 'click', selectors: [['aria/Log in'], ['#login']], offsetX: 3, offsetY: 4 }

function recording(steps: unknown, more: object = {}): string {
  return JSON.stringify({ title: 'Login', steps, ...more })
}

function problemsOf(steps: unknown, more: object = {}) {
  return parseScenario(recording(steps, more), 'data.extended_settings.scenario').problems.map(
    ({ error, field, facts }) => [field?.replace('data.extended_settings.scenario', ''), error, facts?.['detail']],
  )
}

function read(step: object) {
  return parseScenario(recording([step]), 'at').scenario?.steps[0]
}

describe('reading', () => {
  test('what a step leaves out has its standard value', () => {
    expect(read(click)).toEqual({
      ...click,
      title: null,
      timeout: null,
      assertedEvents: [],
      target: 'main',
      frame: [],
      duration: null,
      deviceType: 'mouse',
      button: 'primary',
    })
    expect(read({ type: 'waitForElement', selectors: ['p'] })).toMatchObject({
      operator: '>=',
      count: 1,
      visible: true,
    })
  })

  test('a step takes its own time, else the recording’s, else five seconds', () => {
    const times = (steps: object[], more: object) => {
      const { scenario } = parseScenario(recording(steps, more), 'at')
      return scenario?.steps.map((step) => stepTimeout(step, scenario))
    }
    expect(times([navigate, { ...navigate, timeout: 100 }], { timeout: 700 })).toEqual([700, 100])
    expect(times([navigate], {})).toEqual([5000])
  })
})

describe('problems', () => {
  test.each([
    ['no JSON', '{"title":"t","steps":['],
    ['a list', '[]'],
    ['a text', '"steps"'],
    ['null', 'null'],
  ])('%s is no recording', (_name, json) => {
    const problem = { error: 'incorrect_value', field: 'at', facts: { detail: 'scenario' } }
    expect(parseScenario(json, 'at')).toEqual({ scenario: null, problems: [problem] })
  })

  test.each<[string, unknown, object, (string | undefined)[][]]>([
    ['no steps', [], {}, [['.steps', 'missing_value', undefined]]],
    ['steps that are none', {}, {}, [['.steps', 'incorrect_type', undefined]]],
    ['a step that is none', [7], {}, [['.steps[0]', 'incorrect_type', undefined]]],
    ['a step without a type', [{}], {}, [['.steps[0].type', 'missing_value', undefined]]],
    ['an unknown type', [{ type: 'fly' }], {}, [['.steps[0].type', 'incorrect_value', undefined]]],
    [
      'an extension’s step',
      [{ type: 'customStep', name: 'x' }],
      {},
      [['.steps[0].type', 'incorrect_value', 'scenario_custom_step']],
    ],
    [
      'another protocol',
      [{ ...navigate, url: 'chrome://newtab/' }],
      {},
      [['.steps[0].url', 'incorrect_value', 'scenario_url']],
    ],
    [
      'a script',
      [{ ...navigate, url: 'JavaScript:alert(1)' }],
      {},
      [['.steps[0].url', 'incorrect_value', 'scenario_url']],
    ],
    [
      'a window that nobody has',
      [
        {
          type: 'setViewport',
          width: 8000,
          height: 8000,
          deviceScaleFactor: 1,
          isMobile: false,
          hasTouch: false,
          isLandscape: false,
        },
      ],
      {},
      [['.steps[0].height', 'incorrect_value', undefined]],
    ],
    ['a strange key', [{ type: 'keyDown', key: 'no key' }], {}, [['.steps[0].key', 'incorrect_value', 'scenario_key']]],
    ['a long timeout', [{ ...navigate, timeout: 30_001 }], {}, [['.steps[0].timeout', 'incorrect_value', undefined]]],
    ['a long timeout of all', [navigate], { timeout: 0 }, [['.timeout', 'incorrect_value', undefined]]],
    [
      'an event that is not known',
      [{ ...navigate, assertedEvents: [{ type: 'load' }] }],
      {},
      [['.steps[0].assertedEvents[0].type', 'incorrect_value', undefined]],
    ],
    [
      'too many steps',
      Array.from({ length: maximumSteps + 1 }, () => navigate),
      {},
      [['.steps', 'value_too_long', undefined]],
    ],
  ])('%s', (_name, steps, more, expected) => {
    expect(problemsOf(steps, more)).toEqual(expected)
  })

  test.each([
    ...[' file:///etc/passwd', '\tfile:///etc/passwd', 'fi\tle:///etc/passwd', 'file\n:///etc/passwd', '\u0001file:/x'],
    ...[
      '{{scheme}}:///etc/passwd',
      'fi{{le}}:///etc/passwd',
      '{{ a }}{{ b }}://x',
      'http{{s}}://x',
      ' \u0000 chrome://gpu',
    ],
    ...[
      'view-source:http://x/',
      'data:text/html,x',
      'blob:http://x/1',
      'about:blank',
      'ftp://x/',
      'devtools://devtools',
    ],
  ])('an address that a browser reads as another scheme: %j', (url) => {
    expect(problemsOf([{ ...navigate, url }], {})).toEqual([['.steps[0].url', 'incorrect_value', 'scenario_url']])
  })

  test.each([' https://x/', 'HTTP://x/', '/a:b', 'shop?at=10:30', '{{path}}', '/{{path}}:1', '//x/', '#a:b'])(
    'an address of the web: %j',
    (url) => {
      expect(problemsOf([{ ...navigate, url }], {})).toEqual([])
    },
  )

  test('all come together, each at its place', () => {
    const steps = [
      navigate,
      { ...click, selectors: undefined, offsetX: '3' },
      { ...click, selectors: [] },
      { ...click, selectors: ['#a', ['#b', 7], ''], button: 'third' },
      { type: 'setViewport', width: 0, height: 600, isMobile: false, hasTouch: false, isLandscape: 'no' },
    ]
    expect(problemsOf(steps, { title: 5 })).toEqual([
      ['.title', 'incorrect_type', undefined],
      ['.steps[1].selectors', 'missing_value', undefined],
      ['.steps[1].offsetX', 'incorrect_type', undefined],
      ['.steps[2].selectors', 'missing_value', undefined],
      ['.steps[3].selectors[1][1]', 'incorrect_type', undefined],
      ['.steps[3].selectors[2]', 'missing_value', undefined],
      ['.steps[3].button', 'incorrect_value', undefined],
      ['.steps[4].width', 'incorrect_value', undefined],
      ['.steps[4].deviceScaleFactor', 'missing_value', undefined],
      ['.steps[4].isLandscape', 'incorrect_type', undefined],
    ])
  })
})

/** Recordings as the Recorder writes them, some with a wrong or missing member. */
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const selector = fc.constantFrom('#a', 'aria/Log in', 'xpath///p', 'text/Log in', 'pierce/p')
const base = {
  title: sometimes(fc.constantFrom('One', '')),
  timeout: sometimes(fc.constantFrom(1, 500, 30_000)),
  target: sometimes(fc.constantFrom('main', 'https://example.com/frame')),
  assertedEvents: sometimes(
    fc.array(
      fc.record({ type: fc.constant('navigation'), url: sometimes(fc.webUrl()), title: sometimes(fc.string()) }),
    ),
  ),
}
const framed = { ...base, frame: sometimes(fc.array(fc.nat(3), { maxLength: 3 })) }
const selecting = {
  ...framed,
  selectors: fc.array(fc.oneof(selector, fc.array(selector, { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 4,
  }),
}
const pointed = {
  ...selecting,
  offsetX: fc.integer({ min: -50, max: 50 }),
  offsetY: fc.double({ min: 0, max: 50, noNaN: true }),
  duration: sometimes(fc.nat(100)),
  deviceType: sometimes(fc.constantFrom('mouse', 'pen', 'touch')),
  button: sometimes(fc.constantFrom('primary', 'secondary', 'back')),
}
const coordinate = sometimes(fc.integer({ min: 0, max: 500 }))
const kinds: Readonly<Record<string, Record<string, fc.Arbitrary<unknown>>>> = {
  setViewport: {
    ...base,
    width: fc.integer({ min: 1, max: 3000 }),
    height: fc.integer({ min: 1, max: 3000 }),
    deviceScaleFactor: fc.constantFrom(1, 2),
    isMobile: fc.boolean(),
    hasTouch: fc.boolean(),
    isLandscape: fc.boolean(),
  },
  emulateNetworkConditions: { ...base, download: fc.nat(1e6), upload: fc.nat(1e6), latency: fc.nat(1000) },
  navigate: { ...base, url: fc.webUrl() },
  click: pointed,
  doubleClick: pointed,
  hover: selecting,
  change: { ...selecting, value: fc.string() },
  keyDown: { ...base, key: fc.constantFrom('a', 'Enter') },
  keyUp: { ...base, key: fc.constantFrom('ż', 'Tab') },
  scroll: { ...framed, selectors: sometimes(selecting.selectors), x: coordinate, y: coordinate },
  close: base,
  waitForElement: {
    ...selecting,
    operator: sometimes(fc.constantFrom('>=', '==', '<=')),
    count: sometimes(fc.nat(5)),
    visible: sometimes(fc.boolean()),
    attributes: sometimes(fc.dictionary(fc.string(), fc.string())),
    properties: sometimes(fc.dictionary(fc.string(), fc.jsonValue())),
  },
  waitForExpression: { ...framed, expression: fc.constantFrom('true', 'document.title') },
}
const goodStep = fc
  .constantFrom(...Object.keys(kinds))
  .chain((type) => fc.record({ ...kinds[type], type: fc.constant(type) }) as fc.Arbitrary<Record<string, unknown>>)
const anyStep = fc
  .tuple(goodStep, fc.nat(20), fc.oneof(fc.jsonValue(), fc.constant(undefined)), fc.boolean())
  .map(([step, place, value, isBroken]) => {
    const members = Object.keys(step)
    const member = members[place % members.length] ?? 'type'
    return isBroken ? { ...step, [member]: value } : step
  })

describe('beside the library of the Recorder', () => {
  test('every good recording is taken, with the same values', () => {
    fc.assert(
      fc.property(fc.array(goodStep, { minLength: 1, maxLength: 4 }), (steps) => {
        const json = recording(steps, { timeout: 900 })
        const { scenario, problems } = parseScenario(json, 'at')
        expect(problems).toEqual([])
        expect(scenario?.steps).toMatchObject(parse(JSON.parse(json)).steps)
      }),
      { numRuns: 100 },
    )
  })

  test('what the library refuses is refused', () => {
    let refused = 0
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 3 }), (steps) => {
        const json = recording(steps)
        try {
          parse(JSON.parse(json))
        } catch {
          refused += 1
          expect(parseScenario(json, 'at').scenario).toBeNull()
        }
      }),
      { numRuns: 200 },
    )
    expect(refused).toBeGreaterThan(20)
  })

  test('whatever it is, it is a scenario or it has problems', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const json of [JSON.stringify(value), recording(value), recording([value])]) {
          const { scenario, problems } = parseScenario(json, 'at')
          expect(scenario === null).toBe(problems.length > 0)
          expect(problems.every(({ field }) => field?.startsWith('at'))).toBe(true)
        }
      }),
    )
  })
})
