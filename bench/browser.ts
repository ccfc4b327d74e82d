// The cost of a page check: a page of 31 requests and 440 KB, on loopback.
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPage } from '../src/checks/page/check.ts'
import { browserText, type FoundBrowser, findBrowsers, prepareBrowser } from '../src/sensor/browser/find-browser.ts'
import { launchBrowser, type RunningBrowser } from '../src/sensor/browser/launch.ts'
import { loadPage } from '../src/sensor/browser/load-page.ts'
import { createWarmBrowser } from '../src/sensor/browser/warm-browser.ts'
import { withPage } from '../src/sensor/browser/with-page.ts'
import { createEquipment, type Equipment } from '../src/sensor/equipment.ts'
import type { CheckJob } from '../src/sensor/protocol.ts'
import { cpuMsOfGroup, megabytesOfGroup } from './browser/processes.ts'
import { completeSettings } from './complete-settings.ts'

const warmUp = 10
const checks = 60
const turns = 3
const openPages = 8
const wanted = { perSecondPerCore: 3.5, megabytes: 40, harKilobytes: 60 }

interface Ground {
  readonly equipment: Equipment
  readonly address: string
  /** The process group of the station's browser. */
  readonly group: () => number
  /** A browser of its own for the driver alone. */
  readonly bare: RunningBrowser
}

function job(address: string): CheckJob {
  const startAt = Date.now()
  return {
    serviceId: 1,
    sensorId: 1,
    typeId: 'fullpage',
    address,
    settings: completeSettings('fullpage', { timeout: 60_000 }),
    startAt,
    deadlineAt: startAt + 600_000,
  }
}

async function times(count: number, atOnce: number, work: () => Promise<void>): Promise<void> {
  let left = count
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** CPU-milliseconds of one turn. */
interface Cost {
  readonly browserMs: number
  readonly ownMs: number
}

/** Runs the work so often, as many at once as there are cores. */
async function costOf(count: number, group: number, work: () => Promise<void>): Promise<Cost> {
  const before = { browser: cpuMsOfGroup(group), own: process.cpuUsage() }
  await times(count, availableParallelism(), work)
  const { user, system } = process.cpuUsage(before.own)
  return { browserMs: (cpuMsOfGroup(group) - before.browser) / count, ownMs: (user + system) / 1000 / count }
}

function mean(costs: readonly Cost[]): Cost {
  const of = (pick: (cost: Cost) => number) => costs.reduce((sum, cost) => sum + pick(cost), 0) / costs.length
  return { browserMs: of((cost) => cost.browserMs), ownMs: of((cost) => cost.ownMs) }
}

/** In a fresh context, by the driver alone: no guards, no proxy, no judging. */
async function byDriver({ browser }: RunningBrowser, url: string | null): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  if (url !== null) await page.goto(url)
  await context.close()
}

/** The check and, beside it, the same page loaded by the driver alone, and what is left of that without the page. */
async function measureChecks({ equipment, address, group, bare }: Ground): Promise<void> {
  const check = async (): Promise<void> => {
    const outcome = await checkPage(job(address), equipment)
    if (outcome.result !== 'ok') throw new Error(outcome.errorMessage ?? 'not ok')
  }
  const load = (): Promise<void> => byDriver(bare, `http://${address}`)
  await times(warmUp, availableParallelism(), check)
  await times(warmUp, availableParallelism(), load)
  const checked: Cost[] = []
  const loaded: Cost[] = []
  const empty: Cost[] = []
  const tabs: Cost[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    checked.push(await costOf(checks / turns, group(), check))
    loaded.push(await costOf(checks / turns, bare.processId, load))
    empty.push(await costOf(checks / turns, bare.processId, () => byDriver(bare, `http://${address}empty`)))
    tabs.push(await costOf(checks / turns, bare.processId, () => byDriver(bare, null)))
  }
  const sum = ({ browserMs, ownMs }: Cost) => browserMs + ownMs
  const text = ({ browserMs, ownMs }: Cost) => `${browserMs.toFixed(0)} + ${ownMs.toFixed(0)} CPU-ms`
  const [ours, drivers] = [mean(checked), mean(loaded)]
  console.log(
    `  a check: ${text(ours)} of the browser and the station, ${(1000 / sum(ours)).toFixed(2)}/s per core (wanted ≥ ${wanted.perSecondPerCore})`,
  )
  console.log(
    `  the driver alone: ${text(drivers)}, ${(1000 / sum(drivers)).toFixed(2)}/s; a check is ${(sum(ours) / sum(drivers)).toFixed(2)}×`,
  )
  console.log(`  of that an empty tab: ${text(mean(tabs))}, one with an empty document: ${text(mean(empty))}`)
}

/** All pages wait until the last one is loaded, and are weighed then. */
async function measureMemory({ equipment, address, group }: Ground): Promise<void> {
  const before = megabytesOfGroup(group())
  const url = new URL(`http://${address}`)
  const options = {
    ...({ url, timeoutMs: 60_000, device: null, network: 'none', headers: [], credentials: null } as const),
    ...{ maximumBytes: null, mostNavigations: 5, secrets: [] },
  }
  let loaded = 0
  let weigh = (): void => {}
  const weighed = new Promise<number>((resolve) => {
    weigh = () => resolve((megabytesOfGroup(group()) - before) / openPages)
  })
  const pages = Array.from({ length: openPages }, () =>
    withPage(job(address), equipment, options, async (visit) => {
      await loadPage(visit, url, equipment.answerPatienceMs)
      loaded += 1
      if (loaded === openPages) weigh()
      await weighed
    }),
  )
  console.log(`  ${(await weighed).toFixed(1)} MB an open context (wanted ≤ ${wanted.megabytes})`)
  await Promise.all(pages)
}

async function measureHar({ equipment, address }: Ground): Promise<void> {
  const outcome = await checkPage(job(`${address}bad`), equipment)
  const har = outcome.evidence?.artifacts.find(({ typeId }) => typeId === 'har')
  console.log(`  ${((har?.bytes.length ?? Number.NaN) / 1024).toFixed(1)} KB of HAR (wanted ≤ ${wanted.harKilobytes})`)
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve(Number(port)))
    child.once('exit', () => reject(new Error('the site of the bench ended')))
  })
}

/** Measures one browser. */
async function measure(found: FoundBrowser, address: string): Promise<void> {
  const program = await prepareBrowser(found, join(tmpdir(), 'latarnik-bench-browser'))
  const isSandboxed = process.getuid?.() !== 0
  let group = 0
  const warm = createWarmBrowser({
    ...{ prepare: () => Promise.resolve(program), isSandboxed, visitsPerBrowser: 10_000 },
    places: { usual: openPages, most: openPages },
    onProcess: (processId) => {
      group = processId
    },
  })
  const bare = await launchBrowser({ program, isSandboxed })
  try {
    const equipment = createEquipment({ allow: 'all', browser: warm })
    const ground = { equipment, address, group: () => group, bare }
    console.log(`${browserText(found)} ${bare.browser.version()}`)
    await measureChecks(ground)
    await measureMemory(ground)
    await measureHar(ground)
  } finally {
    await Promise.all([warm.stop(), bare.browser.close()])
  }
}

/** Every browser of this machine, or the one of CHROMIUM_PATH. */
export async function run(): Promise<void> {
  const found = findBrowsers({ chromiumPath: process.env['CHROMIUM_PATH'] ?? null })
  if (found.length === 0) console.log('No browser: neither CHROMIUM_PATH, chromium in PATH nor @sparticuz/chromium.')
  const site = fork(fileURLToPath(new URL('./browser/site.ts', import.meta.url)))
  try {
    const address = `127.0.0.1:${await portOf(site)}/`
    for (const one of found) await measure(one, address)
  } finally {
    site.kill()
  }
}
