import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'
import { sessionCookieName } from '../../src/console/session-cookie.ts'
import type { RunningBrowser } from '../../src/sensor/browser/launch.ts'
import { launchTestBrowser } from './browser.ts'
import { type FurnishedWorld, furnishedWorld } from './furnished.ts'
import { type Person, passwordOf } from './people.ts'

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/153.0.0.0 Safari/537.36'

/** Where the world's installation is for the browser, unless a test wants another. */
const usualOrigin = 'http://api.test'

export interface Visit {
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
  readonly locale: string
  readonly timezoneId: string
}

const desk: Visit = { width: 1280, height: 900, colorScheme: 'light', locale: 'en-GB', timezoneId: 'Europe/Warsaw' }

export interface ConsoleWorld extends FurnishedWorld {
  /** A new browser profile, logged in, at a path. */
  visit(person: Person, path: string, visit?: Partial<Visit>): Promise<Page>
  /** Complaints of pages: errors of scripts, refusals of the policy, requests that left the origin. */
  readonly complaints: string[]
}

/** Something between the browser and the server, named by its host and port. */
type Way = (host: string) => Promise<string>

/** A furnished world that listens, and a person's browser in front of it. @param origin where it is for the browser */
export async function consoleWorld(
  way: Way = (host) => Promise.resolve(host),
  origin = usualOrigin,
): Promise<ConsoleWorld> {
  const world = await furnishedWorld({ passkeysAt: origin })
  const address = new URL(await world.server.listen({ host: '127.0.0.1', port: 0 }))
  const running: RunningBrowser = await launchTestBrowser([
    `--host-resolver-rules=MAP ${new URL(origin).host}:80 ${await way(address.host)}`,
    '--js-flags=--max-old-space-size=512',
  ])
  const complaints: string[] = []
  return {
    ...world,
    complaints,
    async visit(person, path, visit = {}) {
      const { width, height, ...rest } = { ...desk, ...visit }
      const context = await running.browser.newContext({ viewport: { width, height }, ...rest })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      lookOften(page)
      // The world's clock stands at another time than the browser's.
      await page.clock.setFixedTime(world.clock.now())
      page.on('pageerror', ({ message }) => complaints.push(message))
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of (404|412|422)/.test(message.text()) && !isOfTest(message.text()))
          complaints.push(message.text())
      })
      page.on('request', (request) => {
        const { protocol, origin: asked } = new URL(request.url())
        if (asked !== origin && !['blob:', 'data:'].includes(protocol)) complaints.push(`asked ${request.url()}`)
      })
      await context.addCookies([await sessionCookie(world, person, origin)])
      await page.goto(origin + path)
      await page.locator('html[data-ready=yes]').waitFor()
      return page
    },
    async drop() {
      await running.browser.close()
      await world.drop()
    },
  }
}

/** A session that the person began elsewhere: the form would cost a page more, and `login.test.ts` fills it in. */
async function sessionCookie(world: FurnishedWorld, person: Person, origin: string) {
  const login = { username: person, password: passwordOf(person) }
  const { status, body, text } = await world.call(null, 'POST', '/sessions', login, { 'user-agent': userAgent })
  if (status !== 201) throw new Error(`${person} cannot log in: ${text}`)
  const { token } = body as { readonly token: string }
  return { name: sessionCookieName, value: token, url: origin, httpOnly: true, sameSite: 'Lax' as const }
}

/** The fixed clock is a script, which the frame of a preview does not run. */
function isOfTest(message: string): boolean {
  return message.startsWith("Blocked script execution in 'about:srcdoc'")
}

/** The part of the page that `isReachable` reads, since the browser's types are not loaded here. */
interface OfPage {
  readonly document: { querySelectorAll(selector: string): Iterable<{ contains(element: unknown): boolean }> }
}

/** False behind a dialog that is about to close: what is pressed there is lost. Runs in the page. */
export function isReachable(element: unknown): boolean {
  const { document } = globalThis as unknown as OfPage
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1)
  return dialog === undefined || dialog.contains(element)
}

/**
 * Looks more and more seldom for a second before it waits as Playwright does, which looks only twice a second. A look
 * costs milliseconds of CPU here and in the browser.
 */
async function waitOften(
  this: Locator,
  wait: Locator['waitFor'],
  options?: Parameters<Locator['waitFor']>[0],
): Promise<void> {
  const wanted = options?.state ?? 'visible'
  const until = performance.now() + 1000
  for (
    let pause = 10;
    (wanted === 'visible' || wanted === 'hidden') && performance.now() < until;
    pause = Math.min(100, pause * 1.5)
  ) {
    const isVisible = await this.isVisible()
    if (wanted === 'hidden' ? !isVisible : isVisible && (await this.evaluate(isReachable))) return
    await new Promise((done) => setTimeout(done, pause))
  }
  await wait.call(this, options)
}

const oftenLooking = new WeakSet<object>()

/** Half of the time of a test of the console would be spent in the pauses between two looks. */
function lookOften(page: Page): void {
  const locators: Pick<Locator, 'waitFor'> = Object.getPrototypeOf(page.locator('html'))
  if (oftenLooking.has(locators)) return
  oftenLooking.add(locators)
  const wait = locators.waitFor
  locators.waitFor = function (this: Locator, options) {
    return waitOften.call(this, wait, options)
  }
}

/** The smallest spare width of the page's date fields in pixels; negative if one is too narrow. */
export async function roomInDateFields(page: Page): Promise<number> {
  return await page.evaluate<number>(`(() => {
    const inputs = [...document.querySelectorAll('.moment input')].filter((input) => input.checkVisibility())
    if (inputs.length === 0) throw new Error('There is no date field.')
    return Math.min(...inputs.map((input) => {
      const box = input.getBoundingClientRect()
      const over = box.right - input.parentElement.getBoundingClientRect().right
      input.style.width = 'max-content'
      const needed = input.getBoundingClientRect().width
      input.style.width = ''
      return over > 0.5 ? -over : box.width - needed
    }))
  })()`)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** The faults that axe finds against WCAG 2.2 AA, one line per element. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations)`,
  )
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  return [
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    ),
    ...(content > window ? [`wider than the window: ${content} px of ${window} px`] : []),
  ]
}
