// What a page check costs: a page of 31 requests and 440 KB, on loopback.
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browserText, findBrowser, prepareBrowser } from '../src/sensor/browser/find-browser.ts'
import { loadPage } from '../src/sensor/browser/load-page.ts'
import { createWarmBrowser } from '../src/sensor/browser/warm-browser.ts'
import { withPage } from '../src/sensor/browser/with-page.ts'
import { checkPage } from '../src/sensor/checks/page.ts'
import { createEquipment, type Equipment } from '../src/sensor/equipment.ts'
import type { CheckJob } from '../src/sensor/protocol.ts'
import { cpuMsOfGroup, megabytesOfGroup } from './browser/processes.ts'

const warmUp = 10
const checks = 60
const openPages = 8
const wanted = { perSecondPerCore: 3.5, megabytes: 40, harKilobytes: 60 }

function job(address: string): CheckJob {
  const startAt = Date.now()
  return {
    serviceId: 1,
    sensorId: 1,
    typeId: 'fullpage',
    address,
    settings: { timeout: 60_000 },
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

async function measureChecks(equipment: Equipment, address: string, group: () => number): Promise<void> {
  const check = async (): Promise<void> => {
    const outcome = await checkPage(job(address), equipment)
    if (outcome.result !== 'ok') throw new Error(outcome.errorMessage ?? 'not ok')
  }
  const atOnce = availableParallelism()
  await times(warmUp, atOnce, check)
  const cpuBefore = { browser: cpuMsOfGroup(group()), own: process.cpuUsage() }
  const startedAt = performance.now()
  await times(checks, atOnce, check)
  const seconds = (performance.now() - startedAt) / 1000
  const own = process.cpuUsage(cpuBefore.own)
  const ownMs = (own.user + own.system) / 1000 / checks
  const browserMs = (cpuMsOfGroup(group()) - cpuBefore.browser) / checks
  const perCore = 1000 / (ownMs + browserMs)
  console.log(
    `${browserMs.toFixed(0)} CPU-ms of the browser and ${ownMs.toFixed(0)} of the station a check: ${perCore.toFixed(1)}/s per core (wanted ≥ ${wanted.perSecondPerCore}); ` +
      `by the clock ${(checks / seconds).toFixed(1)}/s on ${atOnce} cores`,
  )
}

/** All pages wait until the last one is loaded, and are weighed then. */
async function measureMemory(equipment: Equipment, address: string, group: () => number): Promise<void> {
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
      await loadPage(visit, url)
      loaded += 1
      if (loaded === openPages) weigh()
      await weighed
    }),
  )
  console.log(`${(await weighed).toFixed(1)} MB an open context (wanted ≤ ${wanted.megabytes})`)
  await Promise.all(pages)
}

async function measureHar(equipment: Equipment, address: string): Promise<void> {
  const outcome = await checkPage(job(`${address}bad`), equipment)
  const har = outcome.evidence?.artifacts.find(({ typeId }) => typeId === 'har')
  console.log(`${((har?.bytes.length ?? Number.NaN) / 1024).toFixed(1)} KB of HAR (wanted ≤ ${wanted.harKilobytes})`)
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve(Number(port)))
    child.once('exit', () => reject(new Error('the site of the bench ended')))
  })
}

/** Prints one line a figure. CHROMIUM_PATH chooses the browser. */
export async function run(): Promise<void> {
  const found = findBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] ?? null })
  if (found === null) {
    console.log('No browser on this machine: neither CHROMIUM_PATH, chromium in PATH nor @sparticuz/chromium.')
    return
  }
  let group = 0
  const browser = createWarmBrowser({
    prepare: () => prepareBrowser(found, join(tmpdir(), 'latarnik-bench-browser')),
    isSandboxed: process.getuid?.() !== 0,
    places: openPages,
    visitsPerBrowser: 10_000,
    onProcess: (processId) => {
      group = processId
    },
  })
  const site = fork(fileURLToPath(new URL('./browser/site.ts', import.meta.url)))
  try {
    const address = `127.0.0.1:${await portOf(site)}/`
    const equipment = createEquipment({ allow: 'all', browser })
    console.log(`With ${browserText(found)}:`)
    await measureChecks(equipment, address, () => group)
    await measureMemory(equipment, address, () => group)
    await measureHar(equipment, address)
  } finally {
    site.kill()
    await browser.stop()
  }
}
