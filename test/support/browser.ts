// The browser that the product finds on this machine. Tests that need one say why they are skipped without one.
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'
import { findBrowser, prepareBrowser } from '../../src/sensor/browser/find-browser.ts'
import { launchBrowser, type RunningBrowser } from '../../src/sensor/browser/launch.ts'
import type { BrowserChoice } from '../../src/sensor/browser/try-browser.ts'
import { createWarmBrowser, type WarmBrowser, type WarmBrowserOptions } from '../../src/sensor/browser/warm-browser.ts'
import type { EquipmentOptions } from '../../src/sensor/equipment.ts'
import type { LoopWatch } from '../../src/sensor/loop-watch.ts'
import { type Checker, createChecker } from './check.ts'

/** As the program's configuration would give it. */
export const browserChoice: BrowserChoice = {
  chromiumPath: process.env['CHROMIUM_PATH'] ?? null,
  /** Unpacked once for all runs of this checkout. */
  directory: fileURLToPath(new URL('../../node_modules/.cache/latarnik-browser', import.meta.url)),
  isolation: process.getuid?.() === 0 ? 'none' : 'sandbox',
}
const isSandboxed = browserChoice.isolation === 'sandbox'
const found = findBrowser(browserChoice)

/** `describe` where a browser was found; otherwise the tests are skipped and the reason is printed. */
export const describeWithBrowser = found === null ? skipAloud : describe

function skipAloud(name: string, tests: () => void): void {
  process.stderr.write(
    `Skipped: ${name}. No browser: neither CHROMIUM_PATH, chromium in PATH nor @sparticuz/chromium.\n`,
  )
  describe.skip(`${name} (skipped: no browser was found)`, tests)
}

/** A bare browser of a test's own, to look at pages of ours as people do. */
export async function launchTestBrowser(extraArguments: readonly string[] = []): Promise<RunningBrowser> {
  if (found === null) throw new Error('no browser')
  const program = await prepareBrowser(found, browserChoice.directory)
  return await launchBrowser({ program, isSandboxed, extraArguments })
}

export function createTestBrowser(options: Partial<WarmBrowserOptions> = {}): WarmBrowser {
  return createWarmBrowser({
    prepare: () => {
      if (found === null) throw new Error('no browser')
      return prepareBrowser(found, browserChoice.directory)
    },
    isSandboxed,
    ...options,
  })
}

export interface PageChecker extends Pick<Checker, 'check'> {
  stop(): Promise<void>
}

export interface PageCheckerOptions extends Partial<EquipmentOptions> {
  readonly launch?: Partial<WarmBrowserOptions>
  readonly watch?: LoopWatch
}

/** Like `createChecker`, with a browser. */
export function createPageChecker({ launch, ...options }: PageCheckerOptions = {}): PageChecker {
  const browser = createTestBrowser(launch)
  const checker = createChecker({ ...options, browser })
  return {
    check: checker.check,
    async stop() {
      checker.stop()
      await browser.stop()
    },
  }
}
