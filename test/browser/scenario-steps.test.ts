import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckResult, Settings } from '../../src/sensor/protocol.ts'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { openShop, type Pages, type Shop } from '../support/shop.ts'

const html = (body: string, title = 'Stage') => `<!doctype html><title>${title}</title><body>${body}</body>`
/** Notes down what happens to it. */
const noting = (markup: string, events: readonly string[]) =>
  html(`${markup}<script>
    window.seen = []
    for (const name of ${JSON.stringify(events)})
      addEventListener(name, (e) => { seen.push([name, e.button ?? e.key, e.offsetX, e.target.id].join(' ')) }, true)
  </script>`)

const shadow = (inner: string) =>
  `<my-card></my-card><p class="in">outside</p><script>
    document.querySelector('my-card').attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(inner)}
  </script>`

const button = '<button id="b" style="width:200px;height:80px">Press</button>'
const names = `<button aria-label="Send letter" id="named">✉</button>
  <h2>Save</h2><p>Save</p><button id="saves">Save</button>
  <input type="text" placeholder="Town" id="town"><div role="img" aria-label="Flag" id="flag">F</div>`

const pages: Pages = {
  '/button': noting(button, ['click', 'contextmenu', 'auxclick', 'dblclick', 'mouseover', 'mouseup']),
  '/keys': noting('<input id="i" autofocus>', ['keydown', 'keyup']),
  '/fields': noting(
    `<input id="text"><textarea id="area"></textarea><div id="free" contenteditable>old</div><input id="range" type="range">
     <input id="date" type="date"><select id="pick"><option value="a">A</option><option value="b">B</option></select>`,
    ['input', 'change', 'keyup'],
  ),
  '/long': html(
    '<div id="box" style="height:50px;overflow:auto"><div style="height:900px">x</div></div><div style="height:5000px">y</div>',
  ),
  '/list': html('<li class="x" data-kind="one" title="A">1</li><li class="x" data-kind="one">2</li>'),
  '/names': noting(names, ['click']),
  '/shadow': noting(shadow('<p class="in"><button id="deep">Deep press</button></p>'), ['click']),
  '/frames': html(
    '<iframe src="/outer" width="400" height="300"></iframe><iframe src="/button" width="400" height="200"></iframe>',
  ),
  '/outer': html('<p>outer</p><iframe src="/names" width="350" height="250"></iframe>'),
  '/window': html('<button id="opens" onclick="window.open(\'/opened?session=\' + Math.random())">Open</button>'),
  '/opened': html('<button onclick="opener.answered = confirm(\'Sure?\')" id="yes">Yes</button>', 'Opened'),
  '/locked': html('<input id="locked" readonly value="old">'),
  '/dialog': html('<button id="ask" onclick="window.answered = confirm(\'Sure?\')">Ask</button>'),
  '/late': html(
    '<script>setTimeout(() => { document.body.innerHTML = \'<button id="late" onclick="pressed = 1">Late</button>\' }, 700)</script>',
  ),
  '/hidden': html('<button id="hidden" style="display:none">Hidden</button>'),
  '/covered': html('<button id="under">Under</button><div style="position:fixed;inset:0;background:#fff"></div>'),
  '/script': html(
    "<button id=\"go\" onclick=\"history.pushState(null, '', '/pushed?id=7'); document.title = 'Pushed  page'\">Go</button>",
  ),
}

const at = { offsetX: 20, offsetY: 10 }
const quick = { timeout: 400 }
/** Where something must be done before the wait that is to fail. */
const unhurried = { timeout: 3000 }
const click = (...selectors: (string | string[])[]) => ({ type: 'click', selectors, ...at })
const holds = (expression: string, more: object = {}) => ({ type: 'waitForExpression', expression, ...more })
const seen = (...events: readonly string[]) =>
  holds(`${JSON.stringify(events)}.every((one) => seen.some((e) => e.startsWith(one)))`)

type Row = readonly [what: string, page: string, ...steps: readonly object[]]

const stepRows: readonly Row[] = [
  [
    'setViewport',
    '/list',
    {
      type: 'setViewport',
      width: 500,
      height: 400,
      deviceScaleFactor: 2,
      isMobile: false,
      hasTouch: true,
      isLandscape: false,
    },
    holds('innerWidth === 500 && innerHeight === 400 && devicePixelRatio === 2 && navigator.maxTouchPoints > 0'),
  ],
  [
    'emulateNetworkConditions, without a network',
    '/list',
    { type: 'emulateNetworkConditions', download: 0, upload: 0, latency: 0 },
    holds('fetch("/list").then(() => false, () => true)'),
    { type: 'emulateNetworkConditions', download: -1, upload: -1, latency: 0 },
    holds('fetch("/list").then(() => true)'),
  ],
  ['click, where it was recorded', '/button', click('#b'), seen('click 0 20 b')],
  ['click, in the middle of what is smaller now', '/button', { ...click('#b'), offsetX: 900 }, seen('click 0 98 b')],
  ['click with the second button', '/button', { ...click('#b'), button: 'secondary' }, seen('contextmenu 2 20 b')],
  ['click with the middle button', '/button', { ...click('#b'), button: 'auxiliary' }, seen('auxclick 1 20 b')],
  [
    'click with the button that goes back',
    '/button',
    { ...click('#b'), button: 'back' },
    holds('location.protocol === "about:"'),
  ],
  ['click with a finger', '/button', { ...click('#b'), deviceType: 'touch', duration: 30 }, seen('click 0 20 b')],
  ['doubleClick', '/button', { ...click('#b'), type: 'doubleClick' }, seen('dblclick 0 20 b')],
  ['hover', '/button', { type: 'hover', selectors: ['#b'] }, seen('mouseover 0')],
  [
    'change of a text, with the keys that a page may wait for',
    '/fields',
    { type: 'change', selectors: ['#text'], value: 'Łódź' },
    { type: 'change', selectors: ['#text'], value: 'Wrocław' },
    holds('document.querySelector("#text").value === "Wrocław"'),
    seen('input', 'keyup w'),
    { type: 'change', selectors: ['#text'], value: '' },
    holds('document.querySelector("#text").value === ""'),
  ],
  [
    'change of other fields',
    '/fields',
    { type: 'change', selectors: ['#area'], value: 'one\ntwo' },
    { type: 'change', selectors: ['#free'], value: 'new' },
    { type: 'change', selectors: ['#pick'], value: 'b' },
    { type: 'change', selectors: ['#range'], value: '73' },
    { type: 'change', selectors: ['#date'], value: '2026-11-21' },
    holds(
      '["area", "pick", "range", "date"].map((id) => document.getElementById(id).value).join() === "one\\ntwo,b,73,2026-11-21"',
    ),
    holds('document.querySelector("#free").textContent === "new"'),
    seen('change   pick', 'change   range'),
  ],
  [
    'keyDown and keyUp',
    '/keys',
    click('#i'),
    { type: 'keyDown', key: 'Shift' },
    { type: 'keyDown', key: 'KeyA' },
    { type: 'keyUp', key: 'KeyA' },
    { type: 'keyUp', key: 'Shift' },
    { type: 'keyDown', key: 'b' },
    holds('document.querySelector("#i").value === "Ab"'),
    seen('keydown Shift', 'keydown A', 'keyup A', 'keydown b'),
  ],
  [
    'scroll of the page and of an element',
    '/long',
    { type: 'scroll', x: 0, y: 1200 },
    holds('scrollY === 1200'),
    { type: 'scroll', selectors: ['#box'], y: 300 },
    holds('document.querySelector("#box").scrollTop === 300'),
  ],
  [
    'waitForElement',
    '/list',
    { type: 'waitForElement', selectors: ['.x'] },
    { type: 'waitForElement', selectors: ['.y', '.x'], operator: '==', count: 2, attributes: { 'data-kind': 'one' } },
    {
      type: 'waitForElement',
      selectors: ['.x'],
      operator: '<=',
      count: 2,
      properties: { className: 'x', dataset: { kind: 'one' } },
    },
    { type: 'waitForElement', selectors: ['.x'], count: 2, attributes: { title: 'A' }, visible: false },
    { type: 'waitForElement', selectors: ['.gone'], visible: false },
  ],
  [
    'steps in another window, and close',
    '/window',
    click('#opens'),
    { ...click('aria/Yes'), target: '*/opened?session=*' },
    holds('answered === true'),
    { type: 'close', target: '*/opened*' },
    holds('document.title === "Stage"'),
  ],
  ['a dialog, which is answered', '/dialog', click('#ask'), holds('answered === true')],
  ['close of the page itself, last', '/list', { type: 'close' }],
  ['an element that comes late', '/late', click('#late'), holds('pressed === 1')],
  [
    'a navigation without loading',
    '/script',
    { ...click('#go'), assertedEvents: [{ type: 'navigation', url: '*/pushed?id=*', title: 'Pushed page' }] },
  ],
]

const selectorRows: readonly Row[] = [
  ['css', '/names', click('css/#saves'), seen('click 0 20 saves')],
  ['a name', '/names', click('aria/Send letter'), seen('click 0 20 named')],
  ['a name and a role', '/names', click('aria/Save[role="button"]'), seen('click 0 20 saves')],
  ['a role', '/names', click(['aria/[role="img"]']), seen('click 0')],
  ['a placeholder as a name', '/names', { ...click('aria/Town'), offsetX: 5 }, seen('click 0 5 town')],
  ['xpath', '/names', click('xpath///button[text()="Save"]'), seen('click 0 20 saves')],
  ['text, in its case', '/names', click('text/save', 'text/end', 'css/#saves'), seen('click 0 20 saves')],
  ['text of a part', '/shadow', click('text/eep pr'), seen('click 0')],
  ['pierce', '/shadow', click('pierce/#deep'), holds('seen.length === 1')],
  ['a name in a shadow', '/shadow', click('aria/Deep press'), holds('seen.length === 1')],
  ['a list into a shadow', '/shadow', click(['my-card', '.in', '#deep']), holds('seen.length === 1')],
  ['a name below an element', '/shadow', click(['my-card', 'aria/Deep press']), holds('seen.length === 1')],
  [
    'css, which does not look into shadows',
    '/shadow',
    { type: 'waitForElement', selectors: ['.in'], operator: '==', count: 1 },
  ],
  ['the first that finds something', '/names', click('#none', ':::', '#saves'), seen('click 0 20 saves')],
  ['in a frame', '/frames', { ...click('#b'), frame: [1] }, { ...seen('click 0 20 b'), frame: [1] }],
  [
    'a name in a frame of a frame',
    '/frames',
    { ...click('aria/Send letter'), frame: [0, 0] },
    { ...seen('click 0 20 named'), frame: [0, 0] },
  ],
  [
    'in a frame by its address',
    '/frames',
    { ...click('#b'), target: '/button' },
    { ...seen('click 0 20 b'), target: '/button' },
  ],
]

function unfolded([what, page, ...steps]: Row): [what: string, page: string, steps: readonly object[]] {
  return [what, page, steps]
}

describeWithBrowser('steps of a scenario', () => {
  let shop: Shop
  let checker: PageChecker
  beforeAll(async () => {
    shop = await openShop(pages)
    checker = createPageChecker()
  })
  afterAll(async () => {
    await checker.stop()
    await shop.close()
  })

  function play(page: string, steps: readonly object[], settings: Settings = {}): Promise<CheckResult> {
    const given = steps.map((step) => {
      const { target } = step as { target?: string }
      return target?.startsWith('/') ? { ...step, target: `${shop.url}${target}` } : step
    })
    const scenario = JSON.stringify({
      title: 'Steps',
      timeout: 10_000,
      steps: [{ type: 'navigate', url: `${shop.url}${page}` }, ...given],
    })
    return checker.check('webappcheck', '127.0.0.1:1', { scenario, ...settings })
  }

  describe('are done', () => {
    test.each(stepRows.map(unfolded))('%s', async (_what, page, steps) => {
      expect(await play(page, steps)).toMatchObject({ errorMessage: null, result: 'ok' })
    })
  })

  describe('find elements by', () => {
    test.each(selectorRows.map(unfolded))('%s', async (_what, page, steps) => {
      expect(await play(page, steps)).toMatchObject({ errorMessage: null, result: 'ok' })
    })
  })

  const title = (wanted: string) => ({
    ...click('#go'),
    ...unhurried,
    assertedEvents: [{ type: 'navigation', title: wanted }],
  })

  test.each<[what: string, page: string, step: object, verdict: string, message: RegExp]>([
    [
      'an element that is not there',
      '/list',
      { ...click('#none', 'aria/None'), ...quick },
      'scenario_element_missing',
      /no element #none \| aria\/None$/,
    ],
    [
      'an element that comes too late',
      '/late',
      { ...click('#late'), ...quick },
      'scenario_element_missing',
      /no element #late/,
    ],
    [
      'an element that cannot be seen',
      '/hidden',
      { ...click('#hidden'), ...quick },
      'scenario_element_missing',
      /not to be seen$/,
    ],
    [
      'a field that is locked',
      '/locked',
      { type: 'change', selectors: ['#locked'], value: 'new', ...quick },
      'scenario_step_timeout',
      /400 ms$/,
    ],
    [
      'an element under another',
      '/covered',
      { ...click('#under'), ...quick },
      'scenario_step_timeout',
      /not done within 400 ms$/,
    ],
    [
      'a selector that is none',
      '/list',
      { ...click(':::'), ...quick },
      'scenario_element_missing',
      /no element :::; .*:::/,
    ],
    [
      'another number of elements',
      '/list',
      { type: 'waitForElement', selectors: ['.x'], operator: '==', count: 3, ...quick },
      'scenario_element_missing',
      /wanted == 3 \.x; there are 2$/,
    ],
    [
      'an expression that stays false',
      '/list',
      holds('document.title === "Other"', quick),
      'scenario_step_timeout',
      /not done within 400 ms$/,
    ],
    [
      'an expression that throws',
      '/list',
      holds('nowhere.title', quick),
      'scenario_step_failed',
      /nowhere is not defined/,
    ],
    [
      'another title',
      '/script',
      title('Pulled'),
      'scenario_title_differs',
      /the title is "Pushed page", not "Pulled"$/,
    ],
    [
      'no navigation',
      '/button',
      { ...click('#b'), ...unhurried, assertedEvents: [{ type: 'navigation' }] },
      'scenario_navigation_missing',
      /no navigation followed/,
    ],
    ['a page that is not there', '/list', { type: 'navigate', url: '/missing' }, 'http_client_error', /status 404/],
    [
      'a window that is not there',
      '/list',
      { ...click('#b'), ...quick, target: 'https://example.com/' },
      'scenario_target_missing',
      /has the address https:\/\/example\.com\//,
    ],
    [
      'a frame that is not there',
      '/list',
      { ...click('#b'), ...quick, frame: [0, 1] },
      'scenario_target_missing',
      /no frame 0\.1/,
    ],
    ['a key that is none', '/list', { type: 'keyDown', key: 'Nokey' }, 'scenario_step_failed', /Nokey/],
    [
      'a field that is none',
      '/fields',
      { type: 'change', selectors: ['#pick'], value: 'c', ...quick },
      'scenario_step_timeout',
      /not done within 400 ms$/,
    ],
  ])('fail for %s', async (_what, page, step, verdict, message) => {
    const missing = JSON.stringify(step).replace('"/missing"', `"${shop.url}/missing"`)
    const result = await play(page, [JSON.parse(missing), { type: 'close' }])
    expect(verdictOf(result)).toBe(verdict)
    expect(result.errorMessage).toMatch(message)
    expect(result.errorMessage).toMatch(/^step 2 "/)
    expect(result.steps?.map(({ result: said }) => said)).toEqual(['ok', 'error', 'not_run'])
    expect(result.evidence?.artifacts.map(({ typeId }) => typeId)).toContain('screenshot')
  })

  test('end with the time of the whole scenario, and say where', async () => {
    const result = await play('/list', [holds('false'), { type: 'close' }], { timeout: 2500 })
    expect(verdictOf(result)).toBe('scenario_timeout')
    expect(result.errorMessage).toMatch(/^step 2 "waitForExpression false": not finished within 2500 ms/)
    expect(result.steps?.map(({ result: said }) => said)).toEqual(['ok', 'error', 'not_run'])
    const [first, second] = (result.steps ?? []).map(({ responseTime }) => responseTime ?? 0)
    expect((first ?? 0) + (second ?? 0)).toBeLessThanOrEqual(10_000)
  })

  test('fail for a page that hangs, within their own time', async () => {
    const result = await play('/list', [holds('(() => { for (;;); })()', quick), { type: 'close' }])
    expect(verdictOf(result)).toBe('scenario_step_timeout')
    expect(result.errorMessage).toMatch(/^step 2 .*: not done within 400 ms$/)
  })

  test('are not begun by a station that cannot read them', async () => {
    const result = await checker.check('webappcheck', '127.0.0.1:1', {
      scenario: '{"title":"","steps":[{"type":"fly"}]}',
    })
    expect(verdictOf(result)).toBe('setting_invalid')
    expect(result).toMatchObject({ result: 'unknown', steps: null })
  })
})
