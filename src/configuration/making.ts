import type { Definition } from './definitions.ts'
import type { Difference } from './differences.ts'
import type { Installed } from './installation.ts'

/** An object as the files want it. */
export interface Making {
  readonly action: 'create' | 'update'
  readonly definition: Definition
  readonly current: Installed | null
  /** The members as the API takes them, but for objects that are still to be made. */
  readonly values: Readonly<Record<string, unknown>>
  readonly differences: readonly Difference[]
  /** It was managed by nobody, and is taken over. */
  readonly isAdopted: boolean
  /** Its key until now. */
  readonly movedFrom: string | null
  /** The objects of the files that it names. */
  readonly needs: readonly Definition[]
}
