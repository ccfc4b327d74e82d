import { useReader } from '../reader.tsx'

export type Language = 'en' | 'pl'

/** The same texts in every language; those of English say which there are. */
export type Catalogue<Texts> = Readonly<Record<Language, Texts>>

/** Texts of one part of the console. They lie beside it. */
export function catalogue<Texts>(texts: { readonly en: Texts; readonly pl: NoInfer<Texts> }): Catalogue<Texts> {
  return texts
}

export function useWords<Texts>(texts: Catalogue<Texts>): Texts {
  return texts[useReader().language]
}

/** `1 service`, `3 services`. */
export function counted(count: number, one: string, many: string): string {
  return count === 1 ? one : many
}

const polishRules = new Intl.PluralRules('pl')

/** `1 usługa`, `3 usługi`, `5 usług`; fractions like `few` in the genitive are not needed here. */
export function countedPl(count: number, one: string, few: string, many: string): string {
  const rule = polishRules.select(count)
  return rule === 'one' ? one : rule === 'few' ? few : many
}
