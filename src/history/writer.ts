import type { Executor } from '../database/connect.ts'
import { type AnalysisRow, insertAnalyses } from './analyses.ts'
import { addToRollUps } from './roll-ups.ts'

/** The analyses that a transaction wrote into the history, or keeps for it until it is committed. */
export interface WrittenHistory {
  /** The analyses that were not there before. */
  readonly fresh: readonly AnalysisRow[]
  /** To be called once the transaction is committed. Never rejects. */
  readonly committed?: () => Promise<void>
}

/** Writes finished analyses and their sums. */
export interface HistoryWriter {
  /** Within the transaction that records their rounds. */
  write(transaction: Executor, analyses: readonly AnalysisRow[]): Promise<WrittenHistory>
  /**
   * Writes some of what was kept and is not in the history yet; to be called from time to time, and again at once if it
   * returns true. Never rejects.
   */
  catchUp?(): Promise<boolean>
}

/** One database: everything is written together. */
export const withTheRest: HistoryWriter = {
  async write(transaction, analyses) {
    const fresh = await insertAnalyses(transaction, analyses)
    await addToRollUps(transaction, fresh)
    return { fresh }
  },
}
