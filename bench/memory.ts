// The memory of a station: at rest, and after the first checks of each type, one type after another.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EntryFile } from '../src/child-process/entry.ts'
import { findBrowser } from '../src/sensor/browser/find-browser.ts'
import type { BrowserOrder } from '../src/sensor/messages.ts'
import { ProbingProcess } from '../src/sensor/probing-process.ts'
import type { Settings } from '../src/sensor/protocol.ts'
import { megabytesOfGroup } from './browser/processes.ts'
import { completeSettings } from './complete-settings.ts'
import { type Kind, kinds, repeat } from './probes/kinds.ts'
import { bundle, start } from './probes/processes.ts'
import type { Targets } from './probes/targets.ts'
import { type Asked, askedOf } from './probes/wanted.ts'
import { printLine } from './support/table.ts'

const checksOfKind = 300
const settlingMs = 1500
const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const entry: EntryFile = {
  path: file('../dist/sensor/process.js'),
  execArgv: ['--expose-gc', '--import', file('./memory/collect.mjs')],
}
const log = (level: string, message: string): void => {
  if (level === 'error') console.error(message)
}

/** The processes that this one started, by a part of their command line. */
function childrenWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'latin1'))?.[1])
        const isOurs = parent === process.pid && readFileSync(`/proc/${id}/cmdline`, 'latin1').includes(text)
        return isOurs ? [Number(id)] : []
      } catch {
        return []
      }
    })
}

/** Megabytes that the process has to itself, without its garbage. */
async function ownMegabytes(processId: number): Promise<number> {
  process.kill(processId, 'SIGUSR2')
  await pause(settlingMs)
  const rollup = readFileSync(`/proc/${processId}/smaps_rollup`, 'latin1')
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0)
  return (of('Private_Clean') + of('Private_Dirty')) / 1024
}

interface Running {
  readonly probing: ProbingProcess
  readonly processId: number
}

async function startProbing(browser: BrowserOrder | null): Promise<Running> {
  const before = childrenWith(entry.path)
  const probing = new ProbingProcess({ allow: 'all', log, browser }, entry)
  await probing.start()
  const processId = childrenWith(entry.path).find((id) => !before.includes(id)) ?? 0
  return { probing, processId }
}

async function check({ probing }: Running, typeId: string, { address, settings }: Asked): Promise<void> {
  const startAt = Date.now()
  const complete: Settings = completeSettings(typeId, settings)
  const job = { serviceId: 1, sensorId: 1, typeId, address, settings: complete, startAt, deadlineAt: startAt + 60_000 }
  const { result, errorMessage } = await probing.check(job)
  if (result !== 'ok') throw new Error(`${typeId}: ${errorMessage}`)
}

function shown(megabytes: number, before: number | null): readonly string[] {
  const more = before === null ? '' : `${megabytes >= before ? '+' : ''}${(megabytes - before).toFixed(1)}`
  return [megabytes.toFixed(1), more]
}

async function measurePlain(targets: Targets): Promise<void> {
  const running = await startProbing(null)
  try {
    let before = await ownMegabytes(running.processId)
    printLine('at rest', shown(before, null))
    const asked = kinds.flatMap((kind): [Kind, Asked][] => {
      const question = askedOf(kind, targets)
      return question === null ? [] : [[kind, question]]
    })
    for (const [kind, question] of asked) {
      await repeat(() => check(running, kind, question), checksOfKind)
      const now = await ownMegabytes(running.processId)
      printLine(`+ ${kind}`, shown(now, before))
      before = now
    }
  } finally {
    await running.probing.stop()
  }
}

async function measurePages({ http }: Targets): Promise<void> {
  const found = findBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] ?? null })
  if (found === null) return printLine('pages: no browser was found', [])
  const isSandboxed = process.getuid?.() !== 0
  const running = await startProbing({ found, directory: join(tmpdir(), 'latarnik-bench-browser'), isSandboxed })
  try {
    const atRest = await ownMegabytes(running.processId)
    printLine('process of pages, at rest', shown(atRest, null))
    const page = { address: `127.0.0.1:${http}/`, settings: { timeout: 60_000 } }
    await repeat(() => check(running, 'fullpage', page), 10, 1)
    printLine('+ fullpage', shown(await ownMegabytes(running.processId), atRest))
    const browsers = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && groupLedBy(id, running.processId))
    printLine('its browser', [browsers.reduce((sum, id) => sum + megabytesOfGroup(Number(id)), 0).toFixed(1)])
  } finally {
    await running.probing.stop()
  }
}

/** Whether the process is a child of the parent and leads a group of its own, as a browser does. */
function groupLedBy(id: string, parent: number): boolean {
  try {
    const fields = (readFileSync(`/proc/${id}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ').map(Number)
    return fields[1] === parent && fields[2] === Number(id)
  } catch {
    return false
  }
}

export async function run(): Promise<void> {
  const folder = await bundle()
  const { child, told: targets } = await start<Targets>(join(folder, 'targets.mjs'))
  try {
    printLine('', ['MB', 'more'])
    await measurePlain(targets)
    await measurePages(targets)
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
