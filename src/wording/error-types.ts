import type { ErrorTypeSymbol } from '../domain/judging/error-types.ts'
import { errorTypesEn } from './en/error-types.ts'
import type { ErrorTypeText, ErrorTypeTexts } from './error-type-text.ts'
import type { Language } from './language.ts'
import { errorTypesPl } from './pl/error-types.ts'

export const errorTypeTexts: Readonly<Record<Language, ErrorTypeTexts>> = { en: errorTypesEn, pl: errorTypesPl }

export function errorTypeText(symbol: ErrorTypeSymbol, language: Language): ErrorTypeText {
  return errorTypeTexts[language][symbol]
}
