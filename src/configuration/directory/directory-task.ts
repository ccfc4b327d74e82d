import type { FileFault } from '../fault.ts'
import type { Sources } from '../interpolate.ts'

/** The task of the process that applies a directory, and its report. */

/** Only variables that begin with this may be named by files that others write. */
export const secretPrefix = 'SECRET_'

export interface DirectoryTask {
  readonly directory: string
  /** A second folder whose files may hold secrets. */
  readonly secretsDirectory: string | null
  readonly environment: Sources['environment']
  readonly isPruning: boolean
}

/**
 * applied: everything is as the files want it · incomplete: some objects are not · refused: the files have faults, and
 * nothing was changed · unreadable: there are no files · failed: the installation refuses the account, or is away.
 */
export type DirectoryResult = 'applied' | 'incomplete' | 'refused' | 'unreadable' | 'failed'

export interface DirectoryReport {
  readonly result: DirectoryResult
  readonly mark: string | null
  readonly files: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  /** Objects with the mark that no file has, and that stay. */
  readonly left: number
  readonly faults: readonly FileFault[]
  /** `+ services.shop` */
  readonly changes: readonly string[]
  /** A sentence about services whose failures reach nobody; null if there are none. */
  readonly untold: string | null
}
