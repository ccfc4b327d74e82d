import type { Language } from '../wording/language.ts'

/** One way of an assistant to read or change something: an operation of the API, or several in a row. */
export interface Tool {
  readonly name: string
  readonly title: Readonly<Record<Language, string>>
  /** For the model: what it gets, and when to use it. */
  readonly about: string
  /** `add` makes something new, `end` takes away what somebody made. */
  readonly does: 'read' | 'add' | 'change' | 'end'
  /** Calling it twice with the same arguments has no further effect. */
  readonly isIdempotent?: boolean
  /** The operation by its id. A tool of several steps names the one whose rights it needs. */
  readonly operation: string
  /** Arguments by name, each with its place in the operation: a parameter, or a member of the body. */
  readonly arguments: Readonly<Record<string, string>>
  /** Arguments that must be given beside those that the operation demands. */
  readonly required?: readonly string[]
  /** Fields that are shown, those of embedded objects after a dot. Default: what the operation answers. */
  readonly shows?: readonly string[]
  /** For a write: the object that the confirmation names, read with the argument. */
  readonly subject?: { readonly operation: string; readonly argument: string; readonly shows: readonly string[] }
}

/** True if the tool changes something, so that it must be confirmed. */
export function isWrite({ does }: Tool): boolean {
  return does !== 'read'
}
