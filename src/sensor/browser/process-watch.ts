import { familyOf } from '../../child-process/descendants.ts'
import { killBrowser, proportionalBytes, type RunningBrowser, residentBytes } from './launch.ts'
import { excessOf, type MemoryLimits } from './memory-limits.ts'
import { taken } from './taken.ts'

const everyMs = 250
const patienceMs = 1000

export interface ProcessWatch {
  readonly isNeeded: () => boolean
  /** Called with all processes of the browser after each look. */
  readonly seen: (processIds: readonly number[]) => void
  /** Called when something was ended for its memory, with the reason. */
  readonly ended: (what: 'page' | 'browser', reason: string) => void
  readonly limits: MemoryLimits
}

/**
 * Watches the memory of each browser process and of all together. A page that takes too much is ended, which it sees as
 * a crash. If the cause is not a page, the browser ends with all its pages. Returns the function to stop.
 */
export function watchProcesses(running: RunningBrowser, watch: ProcessWatch): () => void {
  let isStopped = false
  const look = async (): Promise<void> => {
    if (watch.isNeeded()) {
      const processes = await processesOf(running)
      if (!isStopped) judge(running, processes, watch)
    }
    if (!isStopped) timer = setTimeout(look, everyMs)
  }
  let timer = setTimeout(look, everyMs)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

interface BrowserProcess {
  readonly id: number
  readonly type: string
}

/**
 * The browser says which processes run pages, and the system lists the others. A browser too busy to answer is watched
 * all the same.
 */
async function processesOf({ session, processId }: RunningBrowser): Promise<readonly BrowserProcess[]> {
  const answer = await taken(patienceMs, [() => session.send('SystemInfo.getProcessInfo')])
  const told = 'value' in answer ? answer.value.processInfo : [{ id: processId, type: 'browser' }]
  const known = new Set(told.map(({ id }) => id))
  const others = familyOf(processId).filter((id) => !known.has(id))
  // The kind of these is unknown; each may be a page's process.
  return [...told, ...others.map((id) => ({ id, type: 'value' in answer ? 'other' : 'renderer' }))]
}

function judge(running: RunningBrowser, processes: readonly BrowserProcess[], watch: ProcessWatch): void {
  watch.seen(processes.map(({ id }) => id))
  const sizes = processes.map(({ id, type }) => {
    const bytes = residentBytes(id) ?? 0
    return { id, type, bytes, proportionalBytes: () => proportionalBytes(id) ?? bytes }
  })
  const excess = excessOf(sizes, watch.limits)
  if (excess === null) return
  watch.ended(excess.isWhole ? 'browser' : 'page', excess.reason)
  if (excess.isWhole) killBrowser(running.processId)
  else for (const id of excess.pages) end(id)
}

function end(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL')
  } catch {
    // The process has ended meanwhile.
  }
}
