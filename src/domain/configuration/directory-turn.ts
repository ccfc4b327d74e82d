/** When the files of a watched directory are applied. */

export interface DirectoryFacts {
  /** The digest of the files as they are now; null: they cannot be read. */
  readonly stamp: string | null
  /** That of the look before; null: this is the first one. */
  readonly stampBefore: string | null
  /** The last run of this process. */
  readonly lastRun: LastRun | null
  /** Milliseconds after which the same files are applied again, so that what people changed by hand is set right. */
  readonly repairMs: number
}

export interface LastRun {
  readonly stamp: string
  readonly endedAt: number
  /** Everything is as the files want it. */
  readonly isComplete: boolean
}

/** A run that could not finish is tried again after this time, or after that of a repair if it is shorter. */
export const retryMs = 60_000

export type DirectoryTurn = 'apply' | 'wait' | 'unreadable'

/** Files that may still change are left alone until two looks in a row see the same. */
export function directoryTurn({ stamp, stampBefore, lastRun, repairMs }: DirectoryFacts, now: number): DirectoryTurn {
  if (stamp === null) return 'unreadable'
  if (stampBefore !== stamp) return 'wait'
  if (lastRun === null || lastRun.stamp !== stamp) return 'apply'
  const pause = lastRun.isComplete ? repairMs : Math.min(retryMs, repairMs)
  // A clock that was set back must not keep the files from being applied.
  const passed = Math.abs(now - lastRun.endedAt)
  return passed >= pause ? 'apply' : 'wait'
}
