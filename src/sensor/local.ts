import { networkInterfaces } from 'node:os'
import { needsBrowser, serviceTypes } from '../checks/index.ts'
import { mayCheckPages, notIsolated, pageCategories } from '../checks/page-isolation.ts'
import { type EntryFile, entryAt, findEntry } from '../child-process/entry.ts'
import { browserText, findBrowser } from './browser/find-browser.ts'
import { type BrowserChoice, noBrowser } from './browser/try-browser.ts'
import type { BrowserOrder, ProcessLoad } from './messages.ts'
import type { PingWay } from './ping/pinger.ts'
import { type ProbingProcess, type ProbingProcessOptions, unanswered } from './probing-process.ts'
import { ProcessOnDemand } from './process-on-demand.ts'
import type { CheckJob, Stations } from './protocol.ts'
import type { UnsearchedCounts } from './unsearched-patterns.ts'

export interface LocalStationsOptions extends Omit<ProbingProcessOptions, 'browser'> {
  /** Null or absent: pages are not checked here. */
  readonly browser?: BrowserChoice | null
  /** True if strangers can register and have pages checked. */
  readonly isRegistrationOpen?: boolean
  readonly sensorIds: readonly number[]
  /** The file to fork, if it is not the usual one. */
  readonly entry?: string
  /** For tests: after how many milliseconds without any job the process ends until the first. */
  readonly restMs?: number
  /** Cancels the start: it rejects with the signal's reason and leaves no process. */
  readonly signal?: AbortSignal | undefined
}

export interface LocalStations extends Stations {
  /** Categories of services that this machine can really check. */
  readonly categories: readonly string[]
  /** Service types of those categories that it cannot check. */
  readonly unsupportedTypes: readonly string[]
  /** How ping works here. */
  readonly pingWay: PingWay
  /** The browser that checks pages, in a form for people; null if there is none. */
  readonly browser: string | null
  /** True if checks recently found no free socket on this machine. */
  lacksSockets(): boolean
  /** True if page checks recently found no free browser in time. */
  lacksBrowsers(): boolean
  /** The number of such checks since the start; null if pages are not checked. */
  busyCount(): number | null
  /** True if there was recently too little time for all patterns of the checks. */
  lacksPatternTime(): boolean
  /** Patterns that were not searched since the start, by reason. */
  unsearchedCounts(): UnsearchedCounts
  /** The loads of the running probing processes; that for pages runs from the first page on. */
  loads(): Loads
  stop(): Promise<void>
}

export type Loads = Readonly<Partial<Record<'plain' | 'pages', ProcessLoad>>>

/**
 * Jobs go to their process this early, because the way there and its queue take time. There each job waits for its
 * moment by its own timer. Half of all checks then begin within two milliseconds of it instead of five to ten.
 */
const leadMs = 20

const names = { source: './process.ts', bundled: 'sensor/process.js' }

/** Loading the browser's driver alone blocks that process for seconds on a busy machine. */
const pagesHungAfterMs = 20_000

/** The first job of an installation that was just started comes within seconds if it has services at all. */
const usualRestMs = 60_000

/**
 * Stations inside this machine, served by one child process, and from the first page on by a second one if a browser
 * was found. So trouble in the browser's driver does not disturb the other checks. Resolves when the first is ready;
 * each is replaced when it dies or hangs. Without any job the first ends after a minute, until there is one.
 */
export async function startLocalStations(options: LocalStationsOptions): Promise<LocalStations> {
  const { sensorIds, browser: choice = null, isRegistrationOpen = false, restMs = usualRestMs, ...common } = options
  const refusesPages = choice !== null && !mayCheckPages(choice.isolation, isRegistrationOpen)
  const entry = options.entry === undefined ? findEntry(names, import.meta.url) : entryAt(options.entry)
  const order = orderOf(refusesPages ? null : choice)
  const plain = new ProcessOnDemand('the probing process', common, entry)
  const pages = order === null ? null : pagesProcess({ ...common, browser: order }, entry)
  const { pingWay } = await plain.begin(restMs, options.signal)
  const ids = new Set(sensorIds)
  const withoutBrowser = (job: CheckJob) =>
    refusesPages ? unanswered(job, 'browser_not_isolated', notIsolated) : unanswered(job, 'browser_missing', noBrowser)
  const processFor = (job: CheckJob) => (needsBrowser(job.typeId) ? pages : plain)
  return {
    categories: ['default', ...(hasIpv6() ? ['ipv6'] : []), ...(pages === null ? [] : pageCategories)],
    unsupportedTypes: unsupportedTypes({ canPing: pingWay !== 'none', hasBrowser: pages !== null }),
    pingWay,
    browser: order === null ? null : browserText(order.found),
    ...stateOf(plain, pages),
    isConnected: (sensorId) => ids.has(sensorId) && plain.isReady,
    leadMs: () => leadMs,
    check: (job) => {
      if (!ids.has(job.sensorId))
        return Promise.resolve(
          unanswered(job, 'sensor_lost', `sensor ${job.sensorId} is not a station of this process`),
        )
      return processFor(job)?.check(job) ?? Promise.resolve(withoutBrowser(job))
    },
    diagnose: (job) =>
      ids.has(job.sensorId)
        ? plain.diagnose(job)
        : Promise.resolve({ isOk: false, lines: [`sensor ${job.sensorId} is not a station of this process`] }),
    stop: async () => {
      await Promise.all([plain.stop(), pages?.stop()])
    },
  }
}

function pagesProcess(options: ProbingProcessOptions, entry: EntryFile): ProcessOnDemand {
  return new ProcessOnDemand('the process for pages', { hungAfterMs: pagesHungAfterMs, ...options }, entry)
}

type State = 'lacksSockets' | 'lacksBrowsers' | 'busyCount' | 'lacksPatternTime' | 'unsearchedCounts' | 'loads'

function stateOf(plain: ProcessOnDemand, pages: ProcessOnDemand | null): Pick<LocalStations, State> {
  const processes = () => [plain, pages].flatMap((one) => one?.process ?? [])
  return {
    lacksSockets: () => processes().some(({ lacksSockets }) => lacksSockets),
    lacksBrowsers: () => pages?.process?.lacksBrowsers ?? false,
    busyCount: () => (pages === null ? null : (pages.process?.busyCount ?? 0)),
    lacksPatternTime: () => processes().some(({ lacksPatternTime }) => lacksPatternTime),
    unsearchedCounts: () => sumOf(processes().map(({ unsearchedCounts }) => unsearchedCounts)),
    loads: () => ({ ...loadOf('plain', plain.process), ...loadOf('pages', pages?.process) }),
  }
}

function unsupportedTypes({ canPing, hasBrowser }: { readonly canPing: boolean; readonly hasBrowser: boolean }) {
  const isMissing = (id: string, check: string) => (needsBrowser(id) ? !hasBrowser : check === 'ping' && !canPing)
  return serviceTypes.filter(({ id, check }) => isMissing(id, check)).map(({ id }) => id)
}

function sumOf(counts: readonly UnsearchedCounts[]): UnsearchedCounts {
  const of = (reason: keyof UnsearchedCounts) => counts.reduce((sum, each) => sum + each[reason], 0)
  return { late: of('late'), budget: of('budget') }
}

function loadOf(name: keyof Loads, process: ProbingProcess | null | undefined): Loads {
  const load = process?.load ?? null
  return load === null ? {} : { [name]: load }
}

function orderOf(browser: BrowserChoice | null): BrowserOrder | null {
  const found = browser === null ? null : findBrowser(browser)
  return browser === null || found === null
    ? null
    : { found, directory: browser.directory, isSandboxed: browser.isolation === 'sandbox' }
}

/** An address that reaches beyond this machine and its link. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ family, internal, address }) => family === 'IPv6' && !internal && !address.startsWith('fe80'))
}
