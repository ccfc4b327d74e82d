/**
 * The cost of the whole program on a small machine: idle, and at 50 http checks a second with one station, beside
 * blackbox_exporter and a bare client of Node that do as many at the same time.
 */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { startBareClient } from './cost/bare-client.ts'
import { startPage } from './cost/page.ts'
import { cpuMsOf, parts, usageOf } from './operator/processes.ts'
import { type ServedProgram, serveProgram } from './operator/served-program.ts'
import { type Blackbox, findBlackbox, startBlackboxOn } from './probes/blackbox.ts'
import { printLine } from './support/table.ts'

/** COST_RATE: checks a second. */
const rate = Number(process.env['COST_RATE'] ?? 50)
/** COST_STATIONS */
const stations = Number(process.env['COST_STATIONS'] ?? 1)
/** COST_SECONDS: of each part. */
const seconds = Number(process.env['COST_SECONDS'] ?? 60)
/** COST_INTERVAL: seconds between the checks of a service. */
const interval = Number(process.env['COST_INTERVAL'] ?? 10)
/** After the start, until the garbage of it is collected. */
const settlingMs = 110_000
/** After the services were made, until they are checked evenly. */
const warmUpMs = 30_000
/**
 * COST_GROWN: seconds after the services were made, until the figure of a program that has run for a while is taken:
 * a young one still compiles what it runs often, and collects the garbage of its start.
 */
const grownSeconds = Number(process.env['COST_GROWN'] ?? 300)

function costOf(program: ServedProgram) {
  const usage = usageOf(program.processId)
  return { usage, total: parts.reduce((sum, part) => sum + usage[part].cpuMs, 0) }
}

async function measureIdle(program: ServedProgram): Promise<void> {
  await pause(settlingMs)
  const before = costOf(program)
  await pause(seconds * 1000)
  const after = costOf(program)
  const share = (milliseconds: number) => `${(milliseconds / seconds / 10).toFixed(2)} %`
  const of = parts.map((part) => share(after.usage[part].cpuMs - before.usage[part].cpuMs))
  const memory = (kind: 'pss' | 'own') => {
    const amounts = parts.map((part) => after.usage[part][kind])
    return [...amounts, amounts.reduce((sum, one) => sum + one, 0)].map((one) => `${one.toFixed(0)} MB`)
  }
  printLine('', [...parts, 'all'])
  printLine('idle, of a core', [...of, share(after.total - before.total)])
  // How many pages of files are mapped, and counted, depends on the kernel and on what else runs.
  printLine('idle, memory', memory('pss'))
  printLine('without files', memory('own'))
}

async function makeServices(program: ServedProgram, port: number): Promise<void> {
  const headers = { authorization: program.authorization, 'content-type': 'application/json' }
  const count = Math.round((rate / stations) * interval)
  for (let number = 0; number < count; number += 1) {
    const service = { name: `Page ${number}`, type_id: 'http', address: `127.0.0.1:${port}/${number}`, interval }
    const response = await fetch(`${program.api}/services`, { method: 'POST', headers, body: JSON.stringify(service) })
    if (response.status !== 201) throw new Error(`A service was refused: ${await response.text()}`)
  }
}

async function checksOf({ metricsUrl }: ServedProgram): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  const counted = [...text.matchAll(/^latarnik_checks_total\{.*\} (\d+)$/gm)]
  return counted.reduce((sum, [, value]) => sum + Number(value), 0)
}

/** Asks for so many probes a second until it is told to stop. */
function probeEvenly(blackbox: Blackbox): { readonly count: () => number; readonly stop: () => void } {
  let [probes, isStopped] = [0, false]
  const timer = setInterval(() => {
    probes += 1
    blackbox.probe('http').catch((error: unknown) => {
      if (!isStopped) console.error(error)
    })
  }, 1000 / rate)
  return {
    count: () => probes,
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

interface Beside {
  readonly blackbox: Blackbox | null
  readonly bare: ChildProcess
  /** How many probes the blackbox_exporter was asked for so far. */
  readonly probed: () => number
}

/** @param age of the program in words. */
async function measureChecks(age: string, program: ServedProgram, { blackbox, bare, probed }: Beside): Promise<void> {
  const probesBefore = probed()
  const before = { cost: costOf(program), checks: await checksOf(program) }
  const besideBefore = { blackbox: blackbox?.cpuMs() ?? 0, bare: cpuMsOf([bare.pid ?? 0]) }
  await pause(seconds * 1000)
  const after = { cost: costOf(program), checks: await checksOf(program) }
  const probes = probed() - probesBefore
  const checks = after.checks - before.checks
  const each = (milliseconds: number) => (milliseconds / checks).toFixed(2)
  const ours = (after.cost.total - before.cost.total) / checks
  const ofBlackbox = ((blackbox?.cpuMs() ?? 0) - besideBefore.blackbox) / probes
  const ofBare = (cpuMsOf([bare.pid ?? 0]) - besideBefore.bare) / (rate * seconds)
  const of = parts.map((part) => each(after.cost.usage[part].cpuMs - before.cost.usage[part].cpuMs))
  printLine(`CPU-ms a check, ${age}`, [...of, ours.toFixed(2)])
  printLine('checks a second', [(checks / seconds).toFixed(0)])
  printLine('beside it', ['blackbox', ofBlackbox.toFixed(2), 'bare', ofBare.toFixed(2)])
  printLine('ratio', ['blackbox', (ours / ofBlackbox).toFixed(2), 'bare', (ours / ofBare).toFixed(2)])
}

export async function run(): Promise<void> {
  const page = await startPage()
  const program = await serveProgram({ stations, smtpUrl: 'smtp://127.0.0.1:1', authority: '', heapMegabytes: null })
  let [blackbox, bare]: [Blackbox | null, ChildProcess | null] = [null, null]
  let probing: ReturnType<typeof probeEvenly> | null = null
  try {
    await measureIdle(program)
    await makeServices(program, page.port)
    const executable = findBlackbox()
    if (executable === null)
      console.log('  prometheus-blackbox-exporter is not installed: compared with the bare client only')
    else blackbox = await startBlackboxOn(executable, { http: `http://127.0.0.1:${page.port}/` })
    bare = startBareClient(page.port, rate)
    if (blackbox !== null) probing = probeEvenly(blackbox)
    const beside = { blackbox, bare, probed: () => probing?.count() ?? 0 }
    await pause(warmUpMs)
    await measureChecks('young', program, beside)
    await pause(Math.max(0, grownSeconds * 1000 - warmUpMs - seconds * 1000))
    await measureChecks(`grown (${grownSeconds} s)`, program, beside)
  } finally {
    probing?.stop()
    bare?.kill()
    blackbox?.stop()
    await program.stop()
    await program.removeData()
    page.stop()
  }
}
