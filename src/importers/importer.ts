import type { Draft } from './draft.ts'
import type { Input } from './input.ts'

/** A declaration from which the command, its help and the tests follow. */
export interface Importer {
  /** The word after `latarnik import`, and the mark of the configuration that it makes. */
  readonly kind: string
  /** The other monitor's name. */
  readonly product: string
  /** The files that it reads, for the help. */
  readonly files: string
  /** Draws what the files hold. Throws `FaultyConfiguration` for files that are something else. */
  read(inputs: readonly Input[], draft: Draft): Promise<void>
}
