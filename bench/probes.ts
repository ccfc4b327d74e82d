// The CPU cost of a check, beside a minimal client doing the same and beside Debian's prometheus-blackbox-exporter.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Blackbox, findBlackbox, startBlackbox } from './probes/blackbox.ts'
import { type ComparedKind, comparedKinds, type Kind, kinds, repeat } from './probes/kinds.ts'
import type { Order } from './probes/prober.ts'
import type { Targets } from './probes/targets.ts'

const rounds = 9
/** Both loops run in processes that live for weeks: what the compiler does at first is not counted. */
const warmUpRounds = 6
const checksOf: Readonly<Record<ComparedKind, number>> = { http: 2000, https: 400, tcp: 3000, dns: 3000 }
/** PROBE_KINDS: some of them, separated by commas. */
const asked = process.env['PROBE_KINDS']?.split(',')
const wantedKinds = asked === undefined ? kinds : kinds.filter((kind) => asked.includes(kind))
const checksOfProtocol = Number(process.env['PROBES'] ?? 1000)
const wantedAgainstBlackbox: Readonly<Record<ComparedKind, number>> = { http: 3.5, https: 1, tcp: 3.5, dns: 8 }
const root = fileURLToPath(new URL('..', import.meta.url))

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Both processes run as the program does, from a bundle: the loader of the sources costs CPU of its own. */
async function bundle(): Promise<string> {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(root, 'dist', 'bench-'))
  await build({
    absWorkingDir: root,
    entryPoints: { targets: 'bench/probes/targets.ts', prober: 'bench/probes/prober.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  return folder
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('a process of the bench ended'))
    child.once('exit', onExit)
    child.once('message', (message: T) => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}

interface Setting {
  readonly targets: Targets
  readonly prober: ChildProcess
  readonly blackbox: Blackbox | null
}

function isCompared(kind: Kind): kind is ComparedKind {
  return comparedKinds.some((one) => one === kind)
}

function cpuMsOf({ prober, targets }: Setting, kind: Kind, who: Order['who']): Promise<number> {
  const cost = nextMessage<number>(prober)
  const times = isCompared(kind) ? checksOf[kind] : checksOfProtocol
  prober.send({ targets, kind, who, times } satisfies Order)
  return cost
}

async function cpuMsOfBlackbox(blackbox: Blackbox, kind: ComparedKind): Promise<number> {
  const times = checksOf[kind] / 2
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
  const againstBare = median(costs.map((cost) => cost.ours / cost.bare))
  const againstBlackbox = median(costs.map((cost) => (cost.blackbox ?? Number.NaN) / cost.ours))
  const comparison =
    setting.blackbox === null || !isCompared(kind)
      ? ''
      : `; ${againstBlackbox.toFixed(2)}× blackbox_exporter per core (wanted ≥ ${wantedAgainstBlackbox[kind]}×)`
  return `${kind.padEnd(10)} ${ours.toFixed(3)} CPU-ms a check, ${Math.round(1000 / ours)}/s per core; ${againstBare.toFixed(2)}× the bare client loop's cost${comparison}`
}

/** Prints one line for each kind of check. */
export async function run(): Promise<void> {
  const folder = await bundle()
  const children = ['targets.mjs', 'prober.mjs'].map((file) => fork(join(folder, file), { execArgv: [] }))
  const [targetsProcess, prober] = children
  let blackbox: Blackbox | null = null
  try {
    if (targetsProcess === undefined || prober === undefined) return
    const targets = await nextMessage<Targets>(targetsProcess)
    const executable = findBlackbox()
    if (executable === null)
      console.log('prometheus-blackbox-exporter is not installed: compared with the bare loop only')
    else blackbox = await startBlackbox(executable, targets)
    for (const kind of wantedKinds) console.log(await measure({ targets, prober, blackbox }, kind))
  } finally {
    blackbox?.stop()
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
