import { ask } from '../child-process/ask.ts'
import { findEntry } from '../child-process/entry.ts'
import type { PackedCount } from '../history/packed/pack-days.ts'
import type { PackingOrder } from '../history/packed/process.ts'

const names = { source: '../history/packed/process.ts', bundled: 'history/packed/process.js' }

/**
 * Packs the closed days of the history in a separate process; returns how many analyses were packed. Rejects if that
 * process fails. The signal may end it at any moment: each batch is a transaction, and the next run continues.
 */
export async function packHistory(order: PackingOrder, signal: AbortSignal): Promise<number> {
  const entry = findEntry(names, import.meta.url)
  if (signal.aborted) return 0
  try {
    const answer = await ask({
      ...{ entry, signal },
      question: JSON.stringify(order),
      failure: 'The history could not be packed',
    })
    const { packedAnalyses } = JSON.parse(answer.toString()) as PackedCount
    return packedAnalyses
  } catch (error) {
    if (signal.aborted) return 0
    throw error
  }
}
