/** An operator at the console in a real browser: the list stays open and live, and now and then a look elsewhere. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { findBrowser, prepareBrowser } from '../../src/sensor/browser/find-browser.ts'
import { launchBrowser, type RunningBrowser } from '../../src/sensor/browser/launch.ts'
import { cpuMsOfGroup } from '../browser/processes.ts'
import { type FailingCounts, watchFailing } from './failing-counts.ts'
import { password, type ServedProgram } from './served-program.ts'

/** A look at a screen, from the click until all of it is there. */
export interface View {
  readonly name: string
  readonly milliseconds: number
  /** Unix milliseconds. */
  readonly at: number
}

export interface PageFault {
  readonly text: string
  /** Unix milliseconds. */
  readonly at: number
}

export interface ConsoleDay {
  readonly views: readonly View[]
  readonly faults: readonly PageFault[]
  /** How often the shown number of failing services was compared with the API's. */
  readonly compared: number
  readonly wrongCounts: number
  readonly browserCpuMs: number
  readonly seconds: number
}

export interface OperatorsConsole {
  stop(): Promise<ConsoleDay>
  /** However the day ended. */
  close(): Promise<void>
}

/** As long as the operator looks at each screen. */
const lookMs = { list: 15_000, other: 3000 }
const patienceMs = 60_000
const againMs = 20
/** One round in so many leads to the screen of the installation. */
const installationEach = 5
/** The console rests for half a minute at most after a slow count, so an older number than this stands still. */
const slowestCountMs = 45_000
/** Within it the API is looked at again. */
const nextLookMs = 5000
const firstRow = '.rows .name-link'

interface Desk {
  readonly program: ServedProgram
  readonly origin: string
  readonly views: View[]
  readonly faults: PageFault[]
  readonly counts: FailingCounts
  readonly over: AbortSignal
  compared: number
  wrongCounts: number
}

function listenTo(page: Page, { faults, over, origin }: Desk): void {
  const fault = (text: string) => void (over.aborted || faults.push({ text, at: Date.now() }))
  page.setDefaultTimeout(patienceMs)
  page.on('pageerror', ({ message }) => fault(`script: ${message}`))
  page.on('response', (response) => {
    if (response.status() >= 400) fault(`${response.status()} ${pathOf(response.url())}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A screen that is left breaks off its requests.
    if (reason !== 'net::ERR_ABORTED') fault(`${reason} ${pathOf(request.url())}`)
  })
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (asked !== origin && !['blob:', 'data:'].includes(protocol)) fault(`asked ${asked}`)
  })
  page.on('console', (message) => {
    const isOfRequest = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isOfRequest) fault(`console: ${message.text()}`)
  })
}

/** Numbers stand as N, so that equal faults are counted together. */
function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\d+/g, 'N')
}

async function logIn(context: BrowserContext, desk: Desk, username: string, path: string): Promise<Page> {
  const page = await context.newPage()
  listenTo(page, desk)
  await page.goto(`${desk.origin}${path}`)
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.locator('html[data-ready=yes]').waitFor()
  return page
}

const unfinished = 'main .loading, main [aria-busy=true], main .trouble'

/** Everything is there: nothing loads, nothing is stale, and nothing could not be read. */
async function complete(page: Page): Promise<void> {
  const until = performance.now() + patienceMs
  while ((await page.locator(unfinished).count()) > 0) {
    if (performance.now() > until) throw new Error('it stays unfinished')
    await pause(againMs)
  }
}

async function view(desk: Desk, page: Page, name: string, [act, sign]: readonly [() => Promise<unknown>, string]) {
  if (desk.over.aborted) return
  const [at, began] = [Date.now(), performance.now()]
  try {
    await act()
    await page.locator(sign).first().waitFor()
    await complete(page)
    desk.views.push({ name, milliseconds: performance.now() - began, at })
  } catch (error) {
    if (desk.over.aborted) return
    const shown = await page
      .locator('main .trouble')
      .allTextContents()
      .catch(() => [])
    const reason = shown.join(' ') || String(error).split('\n')[0]
    desk.faults.push({ text: `${name} did not come: ${reason}`, at })
    await page.goto(`${desk.origin}/services`).catch(() => undefined)
  }
  await pause(name === 'list' ? lookMs.list : lookMs.other, undefined, { signal: desk.over }).catch(() => undefined)
}

/** The number beside the list's name is one that the API had lately. It may be newer than the newest look at that. */
async function compare(desk: Desk, page: Page): Promise<void> {
  const [text] = await page.locator('.navigation .failing-count').allTextContents()
  const shown = Number.parseInt(text ?? '0', 10)
  await pause(nextLookMs, undefined, { signal: desk.over }).catch(() => undefined)
  const range = desk.counts.within(slowestCountMs + nextLookMs)
  if (range === null || desk.over.aborted) return
  desk.compared += 1
  if (shown >= range.least && shown <= range.most) return
  desk.wrongCounts += 1
  const fault = `shows ${shown} failing services, in the last ${slowestCountMs / 1000} s there were ${range.least} to ${range.most}`
  desk.faults.push({ text: fault, at: Date.now() })
}

async function work(desk: Desk, page: Page, admin: Page): Promise<void> {
  const go = (path: string) => () => page.locator(`.navigation a[href="${path}"]`).last().click()
  for (let round = 0; !desk.over.aborted; round += 1) {
    await view(desk, page, 'list', [go('/services'), firstRow])
    await compare(desk, page)
    await view(desk, page, 'service', [
      () =>
        page
          .locator(firstRow)
          .nth(round % 5)
          .click(),
      '.service #failures',
    ])
    await view(desk, page, 'calendar', [go('/calendar'), '.calendar h1'])
    if (round % installationEach !== 0) continue
    await view(desk, admin, 'installation', [() => admin.reload(), '.installation-screen .facts'])
  }
}

async function open(): Promise<RunningBrowser> {
  const found = findBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] ?? null })
  if (found === null) throw new Error('OPERATOR_CONSOLE: no browser was found')
  const program = await prepareBrowser(found, join(tmpdir(), 'latarnik-bench-browser'))
  const extraArguments = ['--js-flags=--max-old-space-size=512']
  return launchBrowser({ program, isSandboxed: process.getuid?.() !== 0, extraArguments })
}

export async function startConsole(program: ServedProgram): Promise<OperatorsConsole> {
  const running = await open()
  const over = new AbortController()
  const counts = watchFailing(program)
  const origin = new URL(program.api).origin
  const desk: Desk = { program, origin, views: [], faults: [], counts, over: over.signal, compared: 0, wrongCounts: 0 }
  const person = () => running.browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  const page = await logIn(await person(), desk, 'user', '/services')
  const admin = await logIn(await person(), desk, 'admin', '/installation')
  const [began, cpuBefore] = [performance.now(), cpuMsOfGroup(running.processId)]
  const working = work(desk, page, admin).catch((error: unknown) => {
    // At the end the browser closes in the middle of a look.
    if (!over.signal.aborted) desk.faults.push({ text: `the looks ended early: ${String(error)}`, at: Date.now() })
  })
  async function close(): Promise<void> {
    over.abort()
    await running.browser.close()
    await working
    await counts.stop()
  }
  return {
    close,
    async stop() {
      over.abort()
      const browserCpuMs = cpuMsOfGroup(running.processId) - cpuBefore
      const seconds = (performance.now() - began) / 1000
      await close()
      const { views, faults, compared, wrongCounts } = desk
      return { views, faults, compared, wrongCounts, browserCpuMs, seconds }
    },
  }
}
