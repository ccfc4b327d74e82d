import { spawn } from 'node:child_process'
import { buffer, text } from 'node:stream/consumers'
import type { Entry } from './entry.ts'
import { childEnvironment } from './environment.ts'

export interface Errand {
  readonly entry: Entry
  /** Given to the process on its standard input. */
  readonly question: string | Uint8Array
  /** What to say of a process that failed, before its own complaints. */
  readonly failure: string
  /** Kills it and rejects: what the process does must be safe to stop at any moment. */
  readonly signal: AbortSignal
}

/** Characters of what a process that failed said last. */
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
  // A child that dies early closes its end; what it says then is told below.
  child.stdin.on('error', () => undefined)
  child.stdin.end(question)
  const [answer, complaints, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new Error(`${failure} (${code}): ${complaints.slice(-longestComplaint)}`)
  return answer
}
