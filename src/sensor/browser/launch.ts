import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Browser, CDPSession } from 'playwright-core'
import type { BrowserProgram } from './find-browser.ts'

/** One running browser process. */
export interface RunningBrowser {
  readonly browser: Browser
  /** Of the browser itself, which leads the group of all its processes. */
  readonly processId: number
  readonly session: CDPSession
}

export interface LaunchOptions {
  readonly program: BrowserProgram
  readonly isSandboxed: boolean
  readonly extraArguments?: readonly string[]
  /** Where the system keeps memory that processes share. */
  readonly sharedMemory?: string
}

const launchTimeoutMs = 20_000
/** Of a page's JavaScript: an endless array then ends the page in a tenth of a second instead of the machine in ten. */
const heapMegabytes = 128

/**
 * The browser heeds only the last list of features, so those that the driver turns off stand here too. Ours: a process kept ready for
 * the next site of a context, which for a context of one visit is started for nothing, a tenth of the visit's CPU.
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
  // Nothing but the proxy of a visit leads out: no name is looked up by the browser, no datagram sent.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** What a few pages share at once, many times over. */
const roomyBytes = 1024 ** 3
const sharesByFiles = '--disable-dev-shm-usage'

/** Sharing memory by files of the temporary directory costs Debian's browser a tenth of a visit; a container's 64 MB would break pages instead. */
function unwanted(sharedMemory: string): string[] {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory)
    return bavail * bsize < roomyBytes ? [] : [sharesByFiles]
  } catch {
    return []
  }
}

/** Rejects with the browser's own last words when it cannot start. */
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

/** Nothing of our own: the environment of the program holds secrets. */
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

/** Ends the browser with every process it started, whether or not it still answers. */
export function killBrowser(processId: number): void {
  for (const target of [-processId, processId]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It is gone already, or leads no group of its own.
    }
  }
}

const pageBytes = 4096

/** Resident memory of a process; null where the system does not tell. */
export function residentBytes(processId: number): number | null {
  try {
    const pages = Number(readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ')[1])
    return Number.isInteger(pages) ? pages * pageBytes : null
  } catch {
    return null
  }
}

/** Memory of a process with its part of what it shares with others, so that it adds up; costs more. Null where the system does not tell. */
export function proportionalBytes(processId: number): number | null {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/smaps_rollup`, 'latin1'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}

const gravest = /FATAL|No usable sandbox|spawn |error while loading/

/** One sentence of the driver's long report: what it says itself, and the browser's own last words. */
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
