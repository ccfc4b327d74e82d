// The limits of the console with 10,000 services, in a real browser: first rows, bytes, filter, sort, scrolling,
// memory.
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { createAuthenticator } from '../src/auth/authenticate.ts'
import { webConsole } from '../src/console/console.ts'
import type { Database } from '../src/database/connect.ts'
import { findBrowser, prepareBrowser } from '../src/sensor/browser/find-browser.ts'
import { launchBrowser } from '../src/sensor/browser/launch.ts'
import { fill, ownServices, password, username } from './api/fill.ts'
import { drawBareList, pictureOf } from './console/bare-list.ts'
import { apiOn } from './support/api-on.ts'
import { benchDatabase } from './support/bench-database.ts'

const clock = { now: () => Date.now() }
const turns = 5
const scrollSteps = 150
const stepPixels = 520
/** The event stream never ends, so rest is a time: bars and counts have come by then. Milliseconds. */
const restMs = 1500

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const report = (what: string, text: string) => console.log(`  ${what.padEnd(34)}${text}`)

/** The API and the console on a free port. */
async function serve(database: Database) {
  const authenticator = createAuthenticator({ database, clock, loginLimit: 100 })
  const server = await apiOn(database, clock, {
    authenticator,
    requestsPerMinute: { anonymous: 1_000_000, account: 1_000_000 },
    pages: webConsole({ authenticator, publicUrl: undefined }),
  })
  return { origin: await server.listen({ host: '127.0.0.1', port: 0 }), close: () => server.close() }
}

async function loggedIn(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${origin}/stations`)
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.locator('html[data-ready=yes]').waitFor()
  return page
}

const rows = (page: Page) => page.locator('.rows .name-link').first()

/** Of a visit with an empty cache: from the navigation to the first rows, and all that came until then. */
async function measureFirst(context: BrowserContext, origin: string): Promise<void> {
  const times: number[] = []
  const bytes: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    let received = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      received += encodedDataLength
    })
    const startedAt = performance.now()
    await page.goto(`${origin}/services`, { waitUntil: 'commit' })
    await rows(page).waitFor()
    times.push(performance.now() - startedAt)
    await page.waitForTimeout(restMs)
    bytes.push(received)
    await page.close()
  }
  report('first rows', `${median(times).toFixed(0)} ms (wanted ≤ 1000)`)
  report('on the wire, page at rest', `${(median(bytes) / 1000).toFixed(0)} kB (wanted ≤ 300)`)
}

/** From the click to other rows on the screen. */
async function measureChanges(page: Page): Promise<void> {
  const changes = {
    filter: () => page.locator('.chip.failure').click(),
    'filter taken back': () => page.locator('.chip').first().click(),
    'sort by name': () => page.getByRole('columnheader', { name: /Name/ }).getByRole('button').click(),
  }
  for (const [what, act] of Object.entries(changes)) {
    const times: number[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      const before = await rows(page).textContent()
      const startedAt = performance.now()
      await act()
      await page
        .waitForFunction(
          `document.querySelector('.rows .name-link')?.textContent !== ${JSON.stringify(before)} && document.querySelector('[aria-busy=true]') === null`,
          undefined,
          { polling: 16, timeout: 5000 },
        )
        .catch(() => undefined)
      times.push(performance.now() - startedAt)
      if (what === 'filter') await changes['filter taken back']()
      await page.waitForTimeout(restMs)
    }
    report(what, `${median(times).toFixed(0)} ms (wanted ≤ 300)`)
  }
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

/** CPU milliseconds of the page's main thread for each step of a long scroll, once all pages of the list were read. */
async function scrollCost(context: BrowserContext, page: Page): Promise<number> {
  const session = await context.newCDPSession(page)
  // A page in the background draws no frames.
  await page.bringToFront()
  // CPU time of the thread: what other programs of the machine do does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const scroll = async () => {
    for (let step = 0; step < scrollSteps; step += 1) {
      await page.evaluate(`scrollTo(0, ${step * stepPixels})`)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    }
  }
  await scroll()
  await page.evaluate('scrollTo(0, 0)')
  const before = await taskSeconds(session)
  await scroll()
  return ((await taskSeconds(session)) - before) * (1000 / scrollSteps)
}

/** Against the same page without the console's script: the same rows, drawn by the fewest lines. */
async function measureScrolling(context: BrowserContext, page: Page): Promise<void> {
  await page.waitForTimeout(restMs)
  const bare = await context.newPage()
  await drawBareList(bare, await pictureOf(page), ownServices)
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn += 1) {
    ours.push(await scrollCost(context, page))
    theirs.push(await scrollCost(context, bare))
  }
  await bare.close()
  const ratio = median(ours) / median(theirs)
  report(
    'scrolling, CPU of a step',
    `${median(ours).toFixed(1)} ms, a bare virtual list ${median(theirs).toFixed(1)} ms: ${ratio.toFixed(2)}x (wanted ≤ 1.3x)`,
  )
}

async function measureMemory(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  report('heap of the page', `${(usedSize / 1e6).toFixed(0)} MB (wanted ≤ 150)`)
}

function measureSize(): void {
  const directory = fileURLToPath(new URL('../dist/console', import.meta.url))
  const { script, style, preloaded } = JSON.parse(readFileSync(join(directory, 'first-files.json'), 'utf8')) as {
    readonly script: string
    readonly style: string
    readonly preloaded: readonly string[]
  }
  const sizeOf = (name: string) => readFileSync(join(directory, `${name}.gz`)).length / 1024
  const scripts = [script, ...preloaded].reduce((sum, name) => sum + sizeOf(name), 0)
  report('first JavaScript, gzip', `${scripts.toFixed(0)} KB (wanted ≤ 130), CSS ${sizeOf(style).toFixed(0)} KB`)
}

export async function run(): Promise<void> {
  measureSize()
  const choice = {
    ...{ chromiumPath: process.env['CHROMIUM_PATH'] ?? null, directory: join(tmpdir(), 'latarnik-bench-browser') },
    isolation: process.getuid?.() === 0 ? ('none' as const) : ('sandbox' as const),
  }
  const found = findBrowser(choice)
  if (found === null) return report('the rest', 'not measured: no browser was found')
  const { database, close } = await benchDatabase()
  const program = await prepareBrowser(found, choice.directory)
  const extraArguments = ['--js-flags=--max-old-space-size=512']
  const running = await launchBrowser({ program, isSandboxed: choice.isolation === 'sandbox', extraArguments })
  try {
    await fill(database, clock.now())
    const { origin, close: stop } = await serve(database)
    const context = await running.browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
    const page = await loggedIn(context, origin)
    await measureFirst(context, origin)
    await page.goto(`${origin}/services`)
    await rows(page).waitFor()
    await measureChanges(page)
    await page.goto(`${origin}/services?sort=name`)
    await rows(page).waitFor()
    await measureScrolling(context, page)
    await measureMemory(context, page)
    await running.browser.close()
    await stop()
  } finally {
    await running.browser.close()
    await close()
  }
}
