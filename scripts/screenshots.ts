// Takes pictures of every screen of the console, with the demo: `npm run screenshots -- DIRECTORY`. With `--readme` it
// also takes the README's four.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findBrowser, prepareBrowser } from '../src/sensor/browser/find-browser.ts'
import { launchBrowser } from '../src/sensor/browser/launch.ts'
import { type Look, readmePictures } from './readme-pictures.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const looks: readonly Look[] = [
  { name: 'light-en', width: 1280, height: 860, colorScheme: 'light', locale: 'en-GB' },
  { name: 'dark-pl', width: 1280, height: 860, colorScheme: 'dark', locale: 'pl-PL' },
  { name: 'phone-light-pl', width: 390, height: 844, colorScheme: 'light', locale: 'pl-PL' },
  { name: 'phone-dark-en', width: 390, height: 844, colorScheme: 'dark', locale: 'en-GB' },
]

const settleMs = 1500

interface Demo {
  readonly origin: string
  readonly login: { readonly username: string; readonly password: string }
  stop(): Promise<void>
}

async function startDemo(): Promise<Demo> {
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-pictures-'))
  const child: ChildProcess = spawn(process.execPath, ['dist/cli.js', 'demo', '--directory', directory], {
    cwd: root,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.setEncoding('utf8')
  while (!said.includes('Ctrl-C ends it')) {
    const [text] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [string]
    said += text
  }
  const origin = /Documentation {3}(http:\/\/[^/]+)\//.exec(said)?.[1]
  const [, username, password] = /Account {9}(\S+) {4}(\S+)/.exec(said) ?? []
  if (origin === undefined || username === undefined || password === undefined)
    throw new Error(`The demo said something else:\n${said}`)
  return {
    origin,
    login: { username, password },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The paths of all screens; ids are those of the demo. */
async function screensOf({ origin, login }: Demo): Promise<Readonly<Record<string, string>>> {
  const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
  async function first<Row>(path: string): Promise<Row> {
    const reply = await fetch(`${origin}/v3${path}`, { headers: { authorization } })
    const [row] = (await reply.json()) as Row[]
    if (row === undefined) throw new Error(`The demo has nothing at ${path}.`)
    return row
  }
  const { id } = await first<{ id: number }>(`/services?name=${encodeURIComponent('Sklep: strona główna')}&fields=id`)
  const changes = `/services/${id}/history/status_changes?status=failure&sort=-start_time&fields=change_id&limit=1`
  const { change_id: change } = await first<{ change_id: string }>(changes)
  const { id: report } = await first<{ id: number }>('/reports?status=completed&sort=-id&fields=id&limit=1')
  return {
    ...{ services: '/services', service: `/services/${id}`, failure: `/services/${id}/failures/${change}` },
    ...{ add: '/services/new', edit: `/services/${id}/edit`, welcome: '/welcome' },
    ...{
      level: `/services/${id}/service-level`,
      calendar: '/calendar',
      reports: '/reports',
      report: `/reports/${report}`,
    },
    ...{ notifications: '/notifications', stations: '/stations', wallboard: '/wallboard', wallboards: '/wallboards' },
    ...{ account: '/account', security: '/account/security', sessions: '/account/sessions', people: '/account/people' },
    ...{ groups: '/account/groups', package: '/account/package', keys: '/account/keys', audit: '/account/audit-log' },
    ...{ 'on-call': '/on-call', 'status-pages': '/status-pages', templates: '/notifications/templates' },
  }
}

async function visitor(browser: Browser, { origin, login }: Demo, look: Look): Promise<[BrowserContext, Page]> {
  const { width, height, colorScheme, locale } = look
  const context = await browser.newContext({
    timezoneId: 'Europe/Warsaw',
    viewport: { width, height },
    colorScheme,
    locale,
  })
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.locator('input[name=username]').fill(login.username)
  await page.locator('input[name=password]').fill(login.password)
  await page.locator('button[type=submit]').click()
  await page.locator('html[data-ready=yes]').waitFor()
  return [context, page]
}

/** Waits until the screen has what it shows: nothing is being loaded, and no request is under way. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  // The event stream never ends, so the network is never idle.
  await page.waitForTimeout(settleMs)
  await page
    .locator('.loading')
    .first()
    .waitFor({ state: 'detached', timeout: 5000 })
    .catch(() => undefined)
}

async function takeAll(browser: Browser, demo: Demo, directory: string): Promise<void> {
  const screens = Object.entries(await screensOf(demo))
  for (const look of looks) {
    const [context, page] = await visitor(browser, demo, look)
    await mkdir(join(directory, look.name), { recursive: true })
    for (const [name, path] of screens) {
      await page.goto(demo.origin + path)
      await settled(page)
      await page.screenshot({ path: join(directory, look.name, `${name}.png`), fullPage: true })
      process.stdout.write(`${look.name}/${name}.png\n`)
    }
    await context.close()
  }
}

/** The window alone, not the whole screen. */
async function takeThoseOfReadme(browser: Browser, demo: Demo): Promise<void> {
  const screens = await screensOf(demo)
  for (const [file, [screen, look]] of Object.entries(readmePictures)) {
    const [context, page] = await visitor(browser, demo, look)
    await page.goto(demo.origin + screens[screen])
    await settled(page)
    await page.screenshot({ path: join(root, 'docs/pictures', `${file}.png`) })
    process.stdout.write(`docs/pictures/${file}.png\n`)
    await context.close()
  }
}

const given = process.argv.slice(2)
const [directory = join(tmpdir(), 'latarnik-screens')] = given.filter((argument) => !argument.startsWith('--'))
const choice = {
  ...{ chromiumPath: process.env['CHROMIUM_PATH'] ?? null, directory: join(tmpdir(), 'latarnik-screens-browser') },
  isolation: process.getuid?.() === 0 ? ('none' as const) : ('sandbox' as const),
}
const found = findBrowser(choice)
if (found === null) throw new Error('No browser was found: set CHROMIUM_PATH.')
const running = await launchBrowser({
  program: await prepareBrowser(found, choice.directory),
  isSandboxed: choice.isolation === 'sandbox',
  extraArguments: ['--js-flags=--max-old-space-size=512'],
})
const demo = await startDemo()
try {
  if (given.includes('--readme')) await takeThoseOfReadme(running.browser, demo)
  await takeAll(running.browser, demo, directory)
} finally {
  await running.browser.close()
  await demo.stop()
}
