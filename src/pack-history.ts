import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { PackedCount } from './database/packed/pack-days.ts'
import type { PackingOrder } from './database/packed/process.ts'
import { findChild } from './sensor/entry.ts'

const names = { source: './database/packed/process.ts', bundled: 'database/packed/process.js' }

/**
 * Packs the closed days of the history in a process of its own; returns how many analyses were packed. Rejects when that process fails;
 * the signal ends it at any moment: each batch is a transaction, and the next run goes on where it stopped.
 */
export async function packHistory(order: PackingOrder, signal: AbortSignal): Promise<number> {
  const { path, execArgv } = findChild(names, import.meta.url)
  if (signal.aborted) return 0
  const child = spawn(process.execPath, [...execArgv, path], {
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => (signal.aborted ? resolve(null) : reject(error)))
    child.once('close', resolve)
  })
  // A child that dies early closes its end; what it says then is told below.
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(order))
  const [answer, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (signal.aborted) return 0
  if (code !== 0) throw new Error(`The history could not be packed (${code}): ${complaints.slice(-2000)}`)
  const { packedAnalyses } = JSON.parse(answer) as PackedCount
  return packedAnalyses
}
