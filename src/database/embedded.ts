import { setTimeout as delay } from 'node:timers/promises'
import { errorText } from '../domain/text/error-text.ts'
import { type Binaries, bundledPackage, copyBinaries, prepareBinaries } from './embedded/binaries.ts'
import { ensureCluster } from './embedded/cluster.ts'
import { type Ownership, tryToOwn, urlOf } from './embedded/ownership.ts'
import { isStopping, namedPostmaster, removeStaleNote, type ServerProcess } from './embedded/postmaster.ts'
import { cannotRunHere, chooseRunner, type Runner, runnerAs, unprivilegedUsers } from './embedded/runner.ts'
import {
  abandonServer,
  endSessions,
  lastComplaint,
  type ServerSettings,
  settingsFor,
  spawnServer,
  stopServer,
} from './embedded/server.ts'
import {
  canUse,
  giveTo,
  holdsDatabase,
  isRemoved,
  letThrough,
  prepareServerPaths,
  type ServerPaths,
  tidy,
} from './embedded/server-paths.ts'
import type { Log } from './log.ts'
import { DatabaseAway, DatabaseUnusable } from './unusable.ts'

export interface EmbeddedOptions {
  readonly dataDirectory: string
  readonly log: Log
  /** Replaces our server settings, for example `fsync: 'off'` in tests. */
  readonly settings?: ServerSettings
  /** The unpacked npm package to run instead of the installed one. */
  readonly packageDirectory?: string
  /** Cancels the start: it rejects with the signal's reason and leaves no process. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called once, with a sentence for a person, if the files of the running server disappear; the server is stopped
   * then.
   */
  readonly onLost?: ((sentence: string) => void) | undefined
}

export interface Embedded {
  readonly url: string
  /** Stops the server cleanly. It also stops if this process dies, or the next process takes it over. */
  stop(): Promise<void>
}

interface StartParts {
  readonly paths: ServerPaths
  readonly binaries: Binaries
  readonly runner: Runner
  readonly settings: ServerSettings
  readonly signal: AbortSignal | undefined
}

interface Running {
  readonly server: ServerProcess
  readonly ownership: Ownership
  /** It ran before us. */
  readonly isAdopted: boolean
}

const patienceMilliseconds = 10_000
/** The lock of a killed process is freed as soon as its server notices. */
const heldPatienceMilliseconds = 2_000
const recoveryPatienceMilliseconds = 300_000
/**
 * A server that shuts down writes everything to disk, which takes longer than an orderly stop is waited for
 * (`stopServer`).
 */
const windingDownPatienceMilliseconds = 60_000
/**
 * The pause between two checks whether somebody told the server to stop. It would do so when its last session ends,
 * which is never.
 */
const stoppingPauseMilliseconds = 2000

function lostSentence({ dataDirectory }: ServerPaths): string {
  return `The data directory ${dataDirectory} was removed or moved while the program ran, and the database with it; the program ends. Put it back before the next start, which makes an empty database where there is none.`
}

function diskIsFull({ root }: ServerPaths): DatabaseAway {
  return new DatabaseAway(
    `The disk of the database is full, and its server accepts no new connections: make room on the disk of ${root}.`,
  )
}

async function prepareForAnotherUser(paths: ServerPaths, packageDirectory: string) {
  await letThrough(paths)
  for (const user of await unprivilegedUsers()) {
    await giveTo(paths, user.uid, user.gid)
    if (!(await canUse(paths.root, user))) continue
    const binaries = await prepareBinaries(packageDirectory, paths.root)
    const runner = await runnerAs(binaries, user)
    if (runner !== undefined) return { binaries, runner }
    const copied = await copyBinaries(packageDirectory, paths.root)
    const runnerOfCopy = await runnerAs(copied, user)
    if (runnerOfCopy !== undefined) return { binaries: copied, runner: runnerOfCopy }
  }
  throw cannotRunHere(paths.dataDirectory)
}

async function prepare(options: EmbeddedOptions): Promise<StartParts> {
  const packageDirectory = options.packageDirectory ?? bundledPackage()
  const paths = await prepareServerPaths(options.dataDirectory)
  let binaries = await prepareBinaries(packageDirectory, paths.root)
  let runner = await chooseRunner(binaries)
  if (runner === undefined) {
    if (process.getuid?.() !== 0) throw cannotRunHere(paths.dataDirectory)
    ;({ binaries, runner } = await prepareForAnotherUser(paths, packageDirectory))
  }
  return {
    paths,
    binaries,
    runner,
    settings: { ...settingsFor(paths, runner.major), ...options.settings },
    signal: options.signal,
  }
}

/** Takes over the server that a killed Latarnik left running; undefined if nothing runs. */
async function adopt({ paths, signal }: StartParts, log: Log): Promise<Running | undefined> {
  const startedAt = performance.now()
  let heldSince: number | undefined
  for (;;) {
    signal?.throwIfAborted()
    const abandoned = await namedPostmaster(paths)
    if (abandoned === undefined) return undefined
    const attempt = await tryToOwn(abandoned.socketDirectory, false)
    if (typeof attempt === 'object') {
      if (abandoned.socketDirectory !== paths.socketDirectory) return void (await stopServer(abandoned))
      return { server: abandoned, ownership: attempt, isAdopted: true }
    }
    if (attempt === 'full') throw diskIsFull(paths)
    const now = performance.now()
    heldSince = attempt === 'held' ? (heldSince ?? now) : undefined
    if (heldSince !== undefined && now - heldSince > heldPatienceMilliseconds) {
      throw new DatabaseUnusable(
        `The data directory ${paths.dataDirectory} is in use by another running Latarnik: stop that one, or choose another with DATA_DIR.`,
      )
    }
    // It may have been told to stop only after the first look.
    if (attempt !== 'held') await untilWoundDown({ paths, signal }, log)
    // The number in a stale postmaster.pid may belong to another program; the server itself judges that better.
    if (now - startedAt > patienceMilliseconds) return undefined
    await delay(50)
  }
}

/** The system's words (ENOSPC) as the server repeats them. */
const noSpace = 'No space left on device'
/** Another start was faster, or processes of a killed server are still ending. */
const passingComplaint = /lock file .* (already exists|is empty)|shared memory block .* still in use/

/** Undefined if another try is worthwhile. */
async function launch(parts: StartParts, log: Log): Promise<Running | undefined> {
  const { paths, binaries, runner, settings, signal } = parts
  if (process.getuid?.() === 0) await giveTo(paths, runner.owner.uid, runner.owner.gid)
  if (!(await holdsDatabase(paths.dataDirectory)))
    log.info(`Creating a new database in ${paths.root}; this happens only once.`)
  await ensureCluster(parts)
  await removeStaleNote(paths, Date.now())
  const server = await spawnServer(paths, binaries, runner, settings)
  const startedAt = performance.now()
  while (server.isAlive() && !signal?.aborted && performance.now() - startedAt < recoveryPatienceMilliseconds) {
    const attempt = await tryToOwn(paths.socketDirectory, true)
    if (typeof attempt === 'object') return { server, ownership: attempt, isAdopted: false }
    if (attempt === 'full') {
      await stopServer(server)
      throw diskIsFull(paths)
    }
    await delay(10)
  }
  const complaint = await lastComplaint(paths, server)
  await stopServer(server)
  signal?.throwIfAborted()
  if (passingComplaint.test(complaint)) return undefined
  if (complaint.includes(noSpace)) throw diskIsFull(paths)
  throw new DatabaseUnusable(`The database server does not start in ${paths.root}: ${complaint}`)
}

/**
 * The system tells a server to stop when its Latarnik is killed. A new one waits until the old one has written its
 * data, because refusing the start would blame the person for nothing. Beyond the limit it is treated like any other
 * server that uses the data.
 */
async function untilWoundDown({ paths, signal }: Pick<StartParts, 'paths' | 'signal'>, log: Log): Promise<void> {
  const startedAt = performance.now()
  for (let isTold = false; performance.now() - startedAt < windingDownPatienceMilliseconds; await delay(50)) {
    signal?.throwIfAborted()
    const server = await namedPostmaster(paths)
    if (server === undefined || !(await isStopping(paths, server))) return
    if (!isTold)
      log.info(`The database server ${server.pid} of an earlier start is still stopping; waiting for its end.`)
    isTold = true
  }
}

async function adoptOrLaunch(parts: StartParts, log: Log): Promise<Running> {
  await untilWoundDown(parts, log)
  const startedAt = performance.now()
  do {
    const running = (await adopt(parts, log)) ?? (await launch(parts, log))
    if (running !== undefined) return running
    await delay(200)
  } while (performance.now() - startedAt < patienceMilliseconds)
  throw new DatabaseUnusable(`Another database server uses ${parts.paths.cluster} and does not answer.`)
}

/** Starts again until it works or `stopping` is set. A server whose process failed ends its sessions and goes on. */
async function restart(
  parts: StartParts,
  log: Log,
  { server: before }: Running,
  stopping: AbortSignal,
): Promise<Running | undefined> {
  while (!stopping.aborted) {
    // A start would create an empty database in its place.
    if (await isRemoved(parts.paths)) return undefined
    try {
      const running = await adoptOrLaunch(parts, log)
      const isSame = running.server.pid === before.pid
      log.info(isSame ? 'The database server had ended its sessions, and goes on.' : 'The database server runs again.')
      return running
    } catch (error) {
      log.warn(errorText(error))
      // Rejects only if the program stops, which the loop checks.
      await delay(1000, undefined, { signal: stopping }).catch(() => undefined)
    }
  }
  return undefined
}

/** Supervises the running server, and restarts it if it dies. */
function keep(parts: StartParts, { log, onLost }: EmbeddedOptions, first: Running): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running: Running | undefined = first
  async function watch(): Promise<void> {
    while (running !== undefined && !stopping.signal.aborted) {
      await running.ownership.ended
      if (stopping.signal.aborted) return
      if (await isRemoved(parts.paths)) return
      log.warn('The database server has ended its sessions, or itself; then it is started again.')
      running = await restart(parts, log, running, stopping.signal)
    }
  }
  const watching = watch()
  async function lose(server: ServerProcess | undefined): Promise<void> {
    stopping.abort()
    clearInterval(looking)
    if (server !== undefined) await abandonServer(server)
    await tidy(parts.paths)
    onLost?.(lostSentence(parts.paths))
  }
  const looking = setInterval(async () => {
    const server = running?.server
    if (!stopping.signal.aborted && (await isRemoved(parts.paths))) {
      if (!stopping.signal.aborted) await lose(server)
      return
    }
    if (server === undefined || !(await isStopping(parts.paths, server))) return
    // We ourselves may have stopped it during the check.
    if (stopping.signal.aborted) return
    log.warn('The database server was told to stop and waits for our sessions; they end now.')
    endSessions(server)
  }, stoppingPauseMilliseconds)
  looking.unref()
  return {
    async stop() {
      stopping.abort()
      clearInterval(looking)
      if (running !== undefined) await stopServer(running.server)
      await watching
      // This one was just starting when the order to stop came.
      if (running !== undefined) await stopServer(running.server)
      await tidy(parts.paths)
    },
  }
}

/** Starts the bundled PostgreSQL on the data directory, which is created if it is new. Throws `DatabaseUnusable`. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const prepared = await prepare(options)
  const running = await adoptOrLaunch(prepared, options.log)
  if (running.isAdopted)
    options.log.info(`Took over the database server ${running.server.pid} that an earlier start left running.`)
  // The signal concerns the start alone; restarting a dead server has its own order to stop.
  const parts = { ...prepared, signal: undefined }
  return { url: urlOf(parts.paths.socketDirectory), ...keep(parts, options, running) }
}

/**
 * The address of the server that another live Latarnik runs on the data directory. Undefined if there is none.
 * `startEmbedded` takes over a server that a killed process left, or waits for it, because it may be about to stop.
 */
export async function heldEmbeddedUrl({
  dataDirectory,
  log,
  signal,
}: Pick<EmbeddedOptions, 'dataDirectory' | 'log' | 'signal'>): Promise<string | undefined> {
  const paths = await prepareServerPaths(dataDirectory)
  const startedAt = performance.now()
  await untilWoundDown({ paths, signal }, log)
  for (; performance.now() - startedAt < windingDownPatienceMilliseconds; await delay(50)) {
    signal?.throwIfAborted()
    const live = await namedPostmaster(paths)
    if (live === undefined) return undefined
    const attempt = await tryToOwn(live.socketDirectory, false)
    if (attempt === 'held') return urlOf(live.socketDirectory)
    if (attempt === 'full') throw diskIsFull(paths)
    if (typeof attempt === 'object') return void (await attempt.release())
  }
  return undefined
}

/** The address of the server that runs on the data directory, whichever process holds it; undefined if none does. */
export async function runningEmbeddedUrl(dataDirectory: string): Promise<string | undefined> {
  const live = await namedPostmaster(await prepareServerPaths(dataDirectory))
  return live === undefined ? undefined : urlOf(live.socketDirectory)
}
