import type { Language } from '../wording/language.ts'

/** What an error type is called and what to do about it, in the reader's language; null for an unknown id. */
export type Diagnose = (errorTypeId: number, language: Language) => Diagnosis | null

export interface Diagnosis {
  readonly name: string
  readonly diagnosis: string
}

/** Who reads the message, and where the program is reached. */
export interface Reader {
  readonly language: Language
  /** IANA name. */
  readonly zone: string
  readonly publicUrl: string
  readonly diagnose: Diagnose
  /** What the link acknowledges the failure with; null: nothing to acknowledge. */
  readonly acknowledgeToken?: string | null
}
