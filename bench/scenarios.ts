// A login of eight steps as a station plays it, beside the same by hand with the driver alone: no guards, no proxy, no
// archive.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { checkScenario } from '../src/checks/scenario/check.ts'
import { findBrowser, prepareBrowser } from '../src/sensor/browser/find-browser.ts'
import { createWarmBrowser } from '../src/sensor/browser/warm-browser.ts'
import { createEquipment } from '../src/sensor/equipment.ts'
import { loginScenario, openShop, type Shop, shopSecrets, shopUser } from '../test/support/shop.ts'
import { completeSettings } from './complete-settings.ts'
import { printLine } from './support/table.ts'

const rounds = 15
const warmUpRounds = 3
const wantedMs = 500

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Median milliseconds of the rounds, taken in turn so that a busy machine is busy for all. */
async function measure(players: readonly (() => Promise<number>)[]): Promise<readonly number[]> {
  const taken = players.map((): number[] => [])
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    for (const [place, play] of players.entries()) {
      const ms = await play()
      if (round >= warmUpRounds) taken[place]?.push(ms)
    }
  }
  return taken.map(median)
}

async function byHand(browser: Browser, { url }: Shop): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const startedAt = performance.now()
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.goto(`${url}/login`)
  await page.click('#username')
  await page.fill('#username', shopUser.username)
  await page.fill('#password', shopUser.password)
  await page.click('#enter')
  await page.waitForURL('**/account')
  await page.click('text=Orders')
  await page.waitForURL('**/orders')
  await page.waitForSelector('.order')
  const ms = performance.now() - startedAt
  await context.close()
  return ms
}

export async function run(): Promise<void> {
  const found = findBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] ?? null })
  if (found === null) {
    console.log('  No browser was found.')
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'latarnik-bench-'))
  const shop = await openShop()
  const program = await prepareBrowser(found, folder)
  const isSandboxed = process.getuid?.() !== 0
  const warm = createWarmBrowser({ prepare: () => Promise.resolve(program), isSandboxed })
  const equipment = createEquipment({ allow: 'all', browser: warm })
  const bare = await chromium.launch({
    executablePath: program.path,
    chromiumSandbox: isSandboxed,
    env: { ...process.env, ...program.environment },
  })
  const given = { scenario: loginScenario(shop.url), secrets: shopSecrets }
  const settings = completeSettings('webappcheck', given)

  async function byStation(): Promise<number> {
    const startAt = Date.now()
    const job = { serviceId: 1, sensorId: 1, typeId: 'webappcheck', address: 'shop.example.com', settings, startAt }
    const { responseTime, errorMessage } = await checkScenario({ ...job, deadlineAt: startAt + 120_000 }, equipment)
    if (errorMessage !== null) throw new Error(errorMessage)
    return responseTime ?? Number.NaN
  }

  const [station = Number.NaN, hand = Number.NaN] = await measure([byStation, () => byHand(bare, shop)])
  await Promise.all([warm.stop(), bare.close(), shop.close()])
  await rm(folder, { recursive: true, force: true })
  printLine(`eight steps, at most ${wantedMs} ms`, [`${Math.round(station)} ms`, `${(station / hand).toFixed(2)}×`])
  printLine('the same by hand', [`${Math.round(hand)} ms`])
}
