import type { ErrorTypeSymbol } from '../domain/error-types.ts'

export interface ErrorTypeText {
  /** A few words, as a heading. */
  readonly name: string
  /** What happened. */
  readonly description: string
  /** What it usually means and what to do. */
  readonly diagnosis: string
}

export type ErrorTypeTexts = Readonly<Record<ErrorTypeSymbol, ErrorTypeText>>
