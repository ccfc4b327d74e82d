import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Browser, CDPSession } from 'playwright-core'
import type { BrowserProgram } from './find-browser.ts'

/** One running browser process. */
export interface RunningBrowser {
  readonly browser: Browser
  /** The browser's main process, which leads the group of all its processes. */
  readonly processId: number
  readonly session: CDPSession
}

export interface LaunchOptions {
  readonly program: BrowserProgram
  readonly isSandboxed: boolean
  readonly extraArguments?: readonly string[]
  /** The directory that the system uses for shared memory. */
  readonly sharedMemory?: string
}

const launchTimeoutMs = 20_000
/**
 * Limit on a page's JavaScript heap. An endless array then ends the page in a tenth of a second, instead of the machine
 * in ten.
 */
const heapMegabytes = 128

/**
 * The browser obeys only the last list of features, so this one repeats those that the driver turns off. Our own
 * addition is the spare renderer: a process kept ready for the context's next site. A context of one visit never uses
 * it, and it costs a tenth of the visit's CPU.
 */
const featuresOff = [
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
]

const switches = [
  `--disable-features=${featuresOff.join(',')}`,
  `--js-flags=--max-old-space-size=${heapMegabytes}`,
  '--site-per-process',
  '--disable-quic',
  '--no-pings',
  '--dns-prefetch-disable',
  '--disable-domain-reliability',
  // A visit's proxy is the only way out: the browser itself resolves no names and sends no datagrams.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** Many times more than a few pages share at once. */
const roomyBytes = 1024 ** 3
const sharesByFiles = '--disable-dev-shm-usage'

/**
 * Shared memory through temporary files costs Debian's browser a tenth of a visit. A container's 64 MB would break
 * pages instead.
 */
function unwanted(sharedMemory: string): string[] {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory)
    return bavail * bsize < roomyBytes ? [] : [sharesByFiles]
  } catch {
    return []
  }
}

/** Rejects with the browser's own last words if it cannot start. */
export async function launchBrowser({
  program,
  isSandboxed,
  extraArguments = [],
  sharedMemory = '/dev/shm',
}: LaunchOptions): Promise<RunningBrowser> {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: program.path,
    chromiumSandbox: isSandboxed,
    args: [...switches, ...extraArguments],
    ignoreDefaultArgs: unwanted(sharedMemory),
    env: environmentOf(program),
    timeout: launchTimeoutMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const processId = processInfo.find(({ type }) => type === 'browser')?.id
  if (processId === undefined) throw new Error('the browser does not tell its process')
  return { browser, processId, session }
}

/** Passes on nothing of our own, because the program's environment holds secrets. */
function environmentOf({ path, environment }: BrowserProgram): Record<string, string> {
  const { PATH = '/usr/bin:/bin', TMPDIR } = process.env
  return {
    PATH,
    HOME: existsSync(homedir()) ? homedir() : dirname(path),
    LANG: 'C.UTF-8',
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...environment,
  }
}

/** Kills the browser and every process it started, whether or not it still answers. */
export function killBrowser(processId: number): void {
  for (const target of [-processId, processId]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It has ended already, or leads no group of its own.
    }
  }
}

const pageBytes = 4096

/** Resident memory of a process; null if the system does not report it. */
export function residentBytes(processId: number): number | null {
  try {
    const pages = Number(readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ')[1])
    return Number.isInteger(pages) ? pages * pageBytes : null
  } catch {
    return null
  }
}

/**
 * Memory of a process with its share of shared memory, so that sizes add up. Reading it costs more. Null if the system
 * does not report it.
 */
export function proportionalBytes(processId: number): number | null {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/smaps_rollup`, 'latin1'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}

const gravest = /FATAL|No usable sandbox|spawn |error while loading/

/** One sentence out of the driver's long report: its own message and the browser's last words. */
export function launchText(report: string): string {
  const lines = stripVTControlCharacters(report)
    .split('\n')
    .map((line) => line.trim().replace(/^- (?=\[pid=)/, ''))
  const grave = lines.filter((line) => gravest.test(line))
  const telling = new Set(grave.length > 0 ? grave : lines.filter((line) => /ERROR:/.test(line)))
  const hint = /sandbox/i.test([...telling].join()) ? ['see CHROMIUM_SANDBOX'] : []
  return [(lines[0] ?? '').slice(0, 300), ...[...telling].slice(-2).map((line) => line.slice(0, 300)), ...hint].join(
    ' · ',
  )
}
