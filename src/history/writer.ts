import type { Executor } from '../database/connect.ts'
import { type AnalysisRow, insertAnalyses } from './analyses.ts'
import { addToRollUps } from './roll-ups.ts'

/** Writes finished analyses and their sums. */
export interface HistoryWriter {
  /** Within the transaction that records their rounds. Returns the analyses that were not there before. */
  write(transaction: Executor, analyses: readonly AnalysisRow[]): Promise<readonly AnalysisRow[]>
}

/** One database: everything is written together. */
export const withTheRest: HistoryWriter = {
  async write(transaction, analyses) {
    const fresh = await insertAnalyses(transaction, analyses)
    await addToRollUps(transaction, fresh)
    return fresh
  },
}
