import type { ErrorTypeSymbol } from '../domain/error-types.ts'
import { errorTypesEn } from './en/error-types.ts'
import type { Language } from './language.ts'
import { errorTypesPl } from './pl/error-types.ts'

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
