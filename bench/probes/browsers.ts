// Types that need a browser, beside the driver alone with the same page. The station's CPU and the browser's count.
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { findBrowser, prepareBrowser } from '../../src/sensor/browser/find-browser.ts'
import { launchBrowser, type RunningBrowser } from '../../src/sensor/browser/launch.ts'
import { createWarmBrowser } from '../../src/sensor/browser/warm-browser.ts'
import { runCheck } from '../../src/sensor/check.ts'
import { createEquipment } from '../../src/sensor/equipment.ts'
import { watchLoop } from '../../src/sensor/loop-watch.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { cpuMsOfGroup } from '../browser/processes.ts'
import { type BrowserKind, type Once, repeat } from './kinds.ts'
import { median, rowText } from './row.ts'
import type { Targets } from './targets.ts'

const rounds = 5
const checksOfRound = 12
/** The browser trusts nobody's own authority. */
const extraArguments = ['--ignore-certificate-errors']

interface Wanted {
  readonly settings: (url: string) => Settings
  readonly isSecure: boolean
  /** For the driver alone. */
  readonly context: BrowserContextOptions
  /** Awaited by the driver alone, after the page. */
  readonly selector: string | null
}

const page: Settings = { timeout: 60_000 }
const mobilePage: Settings = { ...page, network: 'none' }
const telephone = { viewport: { width: 412, height: 839 }, deviceScaleFactor: 2.625, isMobile: true, hasTouch: true }
const scenario = (url: string) =>
  JSON.stringify({
    title: 'Look',
    steps: [
      { type: 'navigate', url },
      { type: 'waitForElement', selectors: ['body'] },
    ],
  })

const wanted: Readonly<Record<BrowserKind, Wanted>> = {
  fullpage: { settings: () => page, isSecure: false, context: {}, selector: null },
  fullpagehttps: { settings: () => page, isSecure: true, context: {}, selector: null },
  mobilepage: { settings: () => mobilePage, isSecure: false, context: telephone, selector: null },
  mobilepagehttps: { settings: () => mobilePage, isSecure: true, context: telephone, selector: null },
  webappcheck: {
    settings: (url) => ({ timeout: 60_000, scenario: scenario(url) }),
    ...{ isSecure: false, context: {}, selector: 'body' },
  },
}

/** The page of two kilobytes that the types `http` and `https` ask for. */
function urlOf(kind: BrowserKind, { http, https }: Targets): string {
  return wanted[kind].isSecure ? `https://127.0.0.1:${https}/` : `http://127.0.0.1:${http}/`
}

async function byDriver({ browser }: RunningBrowser, kind: BrowserKind, url: string): Promise<void> {
  const { context: options, selector } = wanted[kind]
  const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true })
  const tab = await context.newPage()
  await tab.goto(url)
  if (selector !== null) await tab.waitForSelector(selector)
  await context.close()
}

async function costOf(once: Once, group: number): Promise<number> {
  const [browserBefore, before] = [cpuMsOfGroup(group), process.cpuUsage()]
  await repeat(once, checksOfRound, availableParallelism())
  const { user, system } = process.cpuUsage(before)
  return (cpuMsOfGroup(group) - browserBefore + (user + system) / 1000) / checksOfRound
}

/** Prints a row for each kind, or the reason why there is none. */
export async function measureBrowsers(targets: Targets, kinds: readonly BrowserKind[]): Promise<void> {
  const found = findBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] ?? null })
  if (found === null) return console.log(`${kinds.join(', ')}: not measured, no browser was found`)
  const program = await prepareBrowser(found, join(tmpdir(), 'latarnik-bench-browser'))
  const isSandboxed = process.getuid?.() !== 0
  let group = 0
  const warm = createWarmBrowser({
    ...{ prepare: () => Promise.resolve(program), isSandboxed, visitsPerBrowser: 10_000, extraArguments },
    onProcess: (processId) => {
      group = processId
    },
  })
  const bare = await launchBrowser({ program, isSandboxed, extraArguments })
  const trusting = { allow: 'all', browser: warm, certificateAuthorities: [targets.authority] } as const
  const clock = { now: () => Date.now() }
  const bench = { equipment: createEquipment(trusting), watch: watchLoop(), clock }
  const check = (kind: BrowserKind, url: string) => async (): Promise<void> => {
    const startAt = clock.now()
    const job = { serviceId: 1, sensorId: 1, typeId: kind, address: url.replace(/^\w+:\/\//, ''), startAt }
    const settings = wanted[kind].settings(url)
    const result = await runCheck({ ...job, settings, deadlineAt: startAt + 120_000 }, bench)
    if (result.result !== 'ok') throw new Error(`${kind}: ${result.errorMessage}`)
  }
  try {
    for (const kind of kinds) {
      const url = urlOf(kind, targets)
      const costs: { ours: number; bare: number }[] = []
      for (let round = -1; round < rounds; round += 1) {
        const ours = await costOf(check(kind, url), group)
        const driver = await costOf(() => byDriver(bare, kind, url), bare.processId)
        if (round >= 0) costs.push({ ours, bare: driver })
      }
      const ratio = median(costs.map((cost) => cost.ours / cost.bare))
      console.log(rowText({ kind, ours: median(costs.map(({ ours }) => ours)), ratio, beside: 'the driver alone' }))
    }
  } finally {
    bench.watch.stop()
    await Promise.all([warm.stop(), bare.browser.close()])
  }
}
