import { spawn } from 'node:child_process'
import { buffer, text } from 'node:stream/consumers'
import type { EntryFile } from './entry.ts'
import { childEnvironment } from './environment.ts'

export interface Errand {
  readonly entry: EntryFile
  /** Sent to the process on its standard input. */
  readonly question: string | Uint8Array
  /** The message for a process that failed; its own output follows. */
  readonly failure: string
  /** Kills the process and rejects, so it must be safe to stop at any moment. */
  readonly signal: AbortSignal
}

/** The kept length of a failed process's last output, in characters. */
const longestComplaint = 2000

/** Runs the entry once and resolves to its standard output. */
export async function ask({ entry, question, failure, signal }: Errand): Promise<Buffer> {
  const child = spawn(process.execPath, [...entry.execArgv, entry.path], {
    env: childEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // A child that dies early closes its end; its output is reported below.
  child.stdin.on('error', () => undefined)
  child.stdin.end(question)
  const [answer, complaints, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new Error(`${failure} (${code}): ${complaints.slice(-longestComplaint)}`)
  return answer
}
