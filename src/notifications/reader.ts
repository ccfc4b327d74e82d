import type { Language } from '../wording/language.ts'

/** The name of an error type and advice about it, in the reader's language; null for an unknown id. */
export type Diagnose = (errorTypeId: number, language: Language) => ErrorAdvice | null

export interface ErrorAdvice {
  readonly name: string
  readonly diagnosis: string
}

/** The reader of the message, and the address of the program. */
export interface Reader {
  readonly language: Language
  /** IANA name. */
  readonly zone: string
  readonly publicUrl: string
  readonly diagnose: Diagnose
  /** The token with which the link acknowledges the failure; null: nothing to acknowledge. */
  readonly acknowledgeToken?: string | null
}
