import type { ErrorTypeSymbol } from '../domain/error-types.ts'
import { errorTypesEn } from './error-types.en.ts'
import { errorTypesPl } from './error-types.pl.ts'
import type { Language } from './language.ts'

export interface ErrorTypeText {
  /** A few words, as a heading. */
  readonly name: string
  /** What happened. */
  readonly description: string
  /** What it usually means and what to do. */
  readonly diagnosis: string
}

export type ErrorTypeTexts = Readonly<Record<ErrorTypeSymbol, ErrorTypeText>>

export const errorTypeTexts: Readonly<Record<Language, ErrorTypeTexts>> = { en: errorTypesEn, pl: errorTypesPl }

export function errorTypeText(symbol: ErrorTypeSymbol, language: Language): ErrorTypeText {
  return errorTypeTexts[language][symbol]
}
