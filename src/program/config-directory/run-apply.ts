import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { findEntry } from '../../child-process/entry.ts'
import { childEnvironment } from '../../child-process/environment.ts'
import type { Api } from '../../configuration/api.ts'
import type { DirectoryReport, DirectoryTask } from '../../configuration/directory/directory-task.ts'
import type { ToChild, ToParent } from './messages.ts'

const names = { source: './process.ts', bundled: 'program/config-directory/process.js' }

/** Megabytes; files that need more are no honest configuration. */
const heapMegabytes = 1024
const longestComplaint = 2000

/**
 * Applies a directory in a process of its own, whose requests go to the API. The signal ends it at any moment: each
 * object is changed whole or not at all. Rejects if the process fails.
 */
export async function runApply(task: DirectoryTask, api: Api, signal: AbortSignal): Promise<DirectoryReport> {
  const { path, execArgv } = findEntry(names, import.meta.url)
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, ...execArgv, path], {
    ...{ env: childEnvironment(), signal, killSignal: 'SIGKILL' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let report: DirectoryReport | undefined
  // It may have died meanwhile.
  const tell = (message: ToChild) => child.connected && child.send(message, () => undefined)
  child.on('message', (message: ToParent) => {
    if (message.kind === 'ready') tell({ kind: 'task', task, origin: api.origin })
    else if (message.kind === 'request') answer(api, message, tell)
    else report = message.report
  })
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    // It comes only if the child closes the channel by itself, as it does after its report.
    child.once('close', (code, killedBy) => resolve(code ?? killedBy ?? 'ended'))
  })
  const complaints = text(child.stderr ?? Readable.from([]))
  const code = await ended
  if (report !== undefined) return report
  throw new Error(`The directory could not be applied (${code}): ${(await complaints).slice(-longestComplaint)}`)
}

function answer(
  api: Api,
  { id, request }: Extract<ToParent, { kind: 'request' }>,
  tell: (message: ToChild) => unknown,
): void {
  api.send(request).then(
    (reply) => tell({ kind: 'reply', id, reply }),
    (error: unknown) => tell({ kind: 'refusal', id, reason: error instanceof Error ? error.message : String(error) }),
  )
}
