import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'

export interface ErrorTypeText {
  /** A few words, as a heading. */
  readonly name: string
  /** The event in a sentence. */
  readonly description: string
  /** The usual cause, and the next steps. */
  readonly diagnosis: string
}

export type ErrorTypeTexts = Readonly<Record<ErrorTypeSymbol, ErrorTypeText>>
