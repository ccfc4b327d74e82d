/** The child process that probes: jobs in, results out. It ends when its parent does. */
import type { Clock } from '../domain/clock.ts'
import { oneLine } from '../domain/text/one-line.ts'
import type { Allowed } from '../outgoing/screen.ts'
import type { NotTaken } from './browser/evidence.ts'
import { prepareBrowser } from './browser/find-browser.ts'
import { useOwnTemporaryDirectory } from './browser/scratch.ts'
import { createWarmBrowser, type WarmBrowser } from './browser/warm-browser.ts'
import { type Bench, runCheck } from './check.ts'
import { runDiagnostic } from './diagnose.ts'
import { createEquipment } from './equipment.ts'
import { watchLoop } from './loop-watch.ts'
import {
  type BrowserOrder,
  createBatch,
  type FromProcess,
  heartbeatMs,
  type Numbered,
  type ProcessLoad,
  type ToProcess,
} from './messages.ts'
import { Occasions } from './occasions.ts'
import type { CheckJob, CheckResult, DiagnosticJob } from './protocol.ts'

const clock: Clock = { now: () => Date.now() }
/** How long a result waits for others: a message costs more than its content. */
const gatheringMs = { good: 100, other: 4 } as const
/** A timer may fire this much too early. */
const timerSlackMs = 2

function tell(message: FromProcess): void {
  if (process.connected) process.send?.(message)
}

/** A good result seldom changes anything, and the core waits two seconds longer than any check takes. */
const answer = createBatch<Numbered<CheckResult>>(
  ([, { result }]) => (result === 'ok' ? gatheringMs.good : gatheringMs.other),
  (results) => tell({ kind: 'results', results }),
)

function start(allow: Allowed, order: BrowserOrder | null): Bench {
  const browser = order === null ? null : warm(order)
  const bench: Bench = {
    equipment: createEquipment({ allow, browser, onMissingEvidence: tellMissing }),
    watch: watchLoop(),
    clock,
  }
  const way = bench.equipment.pinger.way()
  if (order === null)
    tell({ kind: 'log', level: way === 'none' ? 'warn' : 'info', message: pingMessages[way], facts: { ping: way } })
  setInterval(() => tell({ kind: 'alive', load: loadOf(browser) }), heartbeatMs)
  tell({ kind: 'ready', pingWay: way })
  return bench
}

/** Failing pages may be many, so each kind of piece and reason is logged once a minute, with a count. */
const missing = new Occasions(60_000)

function tellMissing({ id, reason, error }: NotTaken): void {
  const times = missing.meet(`${id} ${reason}`, performance.now())
  const facts = { artifact: id, reason, error: oneLine(error, 300), times }
  if (times > 0) tell({ kind: 'log', level: 'warn', message: 'A failed page did not give a piece of evidence.', facts })
}

function loadOf(browser: WarmBrowser | null): ProcessLoad {
  const { user, system } = process.cpuUsage()
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: readResidentBytes(),
    places: browser?.places ?? null,
  }
}

let residentBytes = 0

/** The last known value: the system reports it through a file, which cannot be opened while no descriptor is free. */
function readResidentBytes(): number {
  try {
    residentBytes = process.memoryUsage.rss()
  } catch {
    // A station without descriptors must live on to report the shortage in its checks.
  }
  return residentBytes
}

function warm({ found, directory, isSandboxed }: BrowserOrder): WarmBrowser {
  useOwnTemporaryDirectory()
  return createWarmBrowser({
    prepare: () => prepareBrowser(found, directory),
    isSandboxed,
    onProcess: (processId, isRunning) => tell({ kind: 'browser', processId, isRunning }),
    onEnded: (what, reason) =>
      tell({
        kind: 'log',
        level: 'warn',
        message: `The browser took too much memory; the ${what} was ended.`,
        facts: { reason },
      }),
    onFailure: (message) =>
      tell({ kind: 'log', level: 'error', message: 'The browser did not start.', facts: { error: message } }),
  })
}

const pingMessages = {
  socket: 'Pinging over unprivileged sockets.',
  program: 'Pinging with the ping program: this group may not open ping sockets (net.ipv4.ping_group_range).',
  none: 'This station cannot ping: no ping socket is permitted (net.ipv4.ping_group_range) and no ping program found.',
} as const

function accept(bench: Bench, [number, job]: Numbered<CheckJob>): void {
  const now = clock.now()
  if (now >= job.deadlineAt) return
  const run = (): void => {
    // A check before its moment would belong to the round before. A clock that was set back is not waited for.
    const leftMs = job.startAt - clock.now()
    if (leftMs > 0 && leftMs <= timerSlackMs) setTimeout(run, leftMs)
    else runCheck(job, bench).then((result) => answer([number, result]))
  }
  if (job.startAt > now) setTimeout(run, job.startAt - now)
  else run()
}

function diagnose(bench: Bench, [number, job]: Numbered<DiagnosticJob>): void {
  runDiagnostic(job, bench).then((result) => tell({ kind: 'diagnosis', result: [number, result] }))
}

let bench: Bench | null = null
process.on('message', (message: ToProcess) => {
  if (message.kind === 'start') bench ??= start(message.allow, message.browser)
  else if (bench === null) return
  else if (message.kind === 'jobs') for (const job of message.jobs) accept(bench, job)
  else diagnose(bench, message.job)
})
process.on('disconnect', () => process.exit(0))
// A signal may reach the whole process group; the parent decides when probing ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
tell({ kind: 'hello' })
