// The CPU cost of a check, beside a minimal client doing the same and beside Debian's prometheus-blackbox-exporter.
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pingNamespaceMissing } from '../test/support/ping-rights.ts'
import { measurePings } from './pings.ts'
import { type Blackbox, findBlackbox, startBlackbox } from './probes/blackbox.ts'
import { measureBrowsers } from './probes/browsers.ts'
import {
  browserKinds,
  type ComparedKind,
  comparedKinds,
  type Kind,
  kinds,
  repeat,
  reportingKinds,
  typesWithoutRow,
} from './probes/kinds.ts'
import type { Order } from './probes/prober.ts'
import { bundle, nextMessage, start } from './probes/processes.ts'
import { median, rowText } from './probes/row.ts'
import type { Targets } from './probes/targets.ts'

const rounds = 9
/** Both loops run in processes that live for weeks: what the compiler does at first is not counted. */
const warmUpRounds = 6
const checksOf: Readonly<Partial<Record<Kind, number>>> = { http: 2000, https: 400, tcp_connect: 3000, dns: 3000 }
const ofTls: readonly Kind[] = ['tls', 'websocket_tls', 'prometheus_tls']
const checksOfProtocol = Number(process.env['PROBES'] ?? 1000)
/** PROBE_KINDS: some of the types, separated by commas. */
const asked = process.env['PROBE_KINDS']?.split(',')
const isAsked = (kind: string): boolean => asked?.includes(kind) !== false
const wantedAgainstBlackbox: Readonly<Record<ComparedKind, number>> = { http: 3.5, https: 1, tcp_connect: 3.5, dns: 8 }

interface Setting {
  readonly targets: Targets
  readonly prober: ChildProcess
  readonly blackbox: Blackbox | null
}

function isCompared(kind: Kind): kind is ComparedKind {
  return comparedKinds.some((one) => one === kind)
}

function timesOf(kind: Kind): number {
  return checksOf[kind] ?? (ofTls.includes(kind) ? checksOfProtocol / 2 : checksOfProtocol)
}

function cpuMsOf({ prober, targets }: Setting, kind: Kind, who: Order['who']): Promise<number> {
  const cost = nextMessage<number>(prober)
  prober.send({ targets, kind, who, times: timesOf(kind) } satisfies Order)
  return cost
}

async function cpuMsOfBlackbox(blackbox: Blackbox, kind: ComparedKind): Promise<number> {
  const times = timesOf(kind) / 2
  const before = blackbox.cpuMs()
  await repeat(() => blackbox.probe(kind), times)
  return (blackbox.cpuMs() - before) / times
}

/** All take turns within a round, so that a slow moment of the machine hits them alike. */
async function measure(setting: Setting, kind: Kind): Promise<string> {
  const costs: { ours: number; bare: number; blackbox: number | null }[] = []
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const ours = await cpuMsOf(setting, kind, 'ours')
    const bare = await cpuMsOf(setting, kind, 'bare')
    if (round < -1) continue
    const isBeside = setting.blackbox !== null && isCompared(kind)
    const blackbox = isBeside ? await cpuMsOfBlackbox(setting.blackbox, kind) : null
    if (round >= 0) costs.push({ ours, bare, blackbox })
  }
  const ours = median(costs.map((cost) => cost.ours))
  const ratio = median(costs.map((cost) => cost.ours / cost.bare))
  const againstBlackbox = median(costs.map((cost) => (cost.blackbox ?? Number.NaN) / cost.ours))
  const comparison =
    setting.blackbox === null || !isCompared(kind)
      ? ''
      : `; ${againstBlackbox.toFixed(2)}× blackbox_exporter per core (wanted ≥ ${wantedAgainstBlackbox[kind]}×)`
  return `${rowText({ kind, ours, ratio, beside: "the bare client loop's cost" })}${comparison}`
}

async function measureKinds(folder: string, targets: Targets, wanted: readonly Kind[]): Promise<void> {
  const executable = findBlackbox()
  if (executable === null)
    console.log('prometheus-blackbox-exporter is not installed: compared with the bare loop only')
  const blackbox = executable === null ? null : await startBlackbox(executable, targets)
  const { child: prober } = await start<'ready'>(join(folder, 'prober.mjs'))
  try {
    for (const kind of wanted) console.log(await measure({ targets, prober, blackbox }, kind))
  } finally {
    blackbox?.stop()
    prober.kill()
  }
}

async function measurePing(folder: string, targets: Targets): Promise<void> {
  const missing = await pingNamespaceMissing()
  if (missing !== null) return console.log(`ping: not measured, ${missing}`)
  const { child: prober } = await start<'ready'>(join(folder, 'prober.mjs'), true)
  try {
    console.log(await measure({ targets, prober, blackbox: null }, 'ping'))
  } finally {
    prober.kill()
  }
}

async function measureHeartbeat(): Promise<void> {
  const { bare, stored } = await measurePings()
  const [ours, ratio] = [1000 / stored.perCpu, bare.perCpu / stored.perCpu]
  console.log(rowText({ kind: 'heartbeat', ours, ratio, beside: 'a handler that only answers, for each ping' }))
}

/** Prints a line for each type of service. */
export async function run(): Promise<void> {
  const without = typesWithoutRow()
  if (without.length > 0) throw new Error(`no row for ${without.join(', ')}`)
  const folder = await bundle()
  const { child, told: targets } = await start<Targets>(join(folder, 'targets.mjs'))
  try {
    const ofSockets = kinds.filter((kind) => kind !== 'ping' && isAsked(kind))
    if (ofSockets.length > 0) await measureKinds(folder, targets, ofSockets)
    if (isAsked('ping')) await measurePing(folder, targets)
    const ofBrowsers = browserKinds.filter(isAsked)
    if (ofBrowsers.length > 0) await measureBrowsers(targets, ofBrowsers)
    if (reportingKinds.some(isAsked)) await measureHeartbeat()
    console.log('A type over IPv6 is the same check on another address family: it has the row of its base.')
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
