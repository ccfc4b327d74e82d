import { type RunningBrowser, residentBytes } from './launch.ts'
import { within } from './within.ts'

const everyMs = 250
const patienceMs = 1000
/** Buffers, images and the document itself are not counted in the limit of JavaScript's heap. */
const mostResidentBytes = 1024 ** 3

export interface ProcessWatch {
  readonly isNeeded: () => boolean
  /** Told all processes of the browser, whenever they were looked at. */
  readonly seen: (processIds: readonly number[]) => void
}

/** Ends pages' processes that take too much memory, which their pages see as a crash. Returns the way to stop. */
export function watchProcesses({ session }: RunningBrowser, { isNeeded, seen }: ProcessWatch): () => void {
  let isStopped = false
  const look = async (): Promise<void> => {
    if (isNeeded()) {
      const answer = await within(patienceMs, session.send('SystemInfo.getProcessInfo')).catch(() => null)
      if (answer !== null) seen(answer.processInfo.map(({ id }) => id))
      for (const { type, id } of answer?.processInfo ?? []) {
        if (type === 'renderer' && (residentBytes(id) ?? 0) > mostResidentBytes) end(id)
      }
    }
    if (!isStopped) timer = setTimeout(look, everyMs)
  }
  let timer = setTimeout(look, everyMs)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

function end(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL')
  } catch {
    // Gone meanwhile.
  }
}
