import { type LogoAddress, logoBelow, logoBesideCopy } from './logos.ts'

/** Why a document says from when it is: it cannot be updated now, or it is a copy in another place. */
export type Age = 'as_of' | 'copy_of' | null

/** Where a document of a page stands, and what it links to. */
export interface Edition {
  readonly age: Age
  /** The address of the page's documents, without a slash at its end. */
  readonly base: string
  /** The page itself. */
  readonly home: string
  readonly subscribe: string
  readonly logo: LogoAddress
}

/** As the program serves it. */
export function servedEdition(url: string, age: Age = null): Edition {
  return { age, base: url, home: url, subscribe: `${url}/subscribe`, logo: logoBelow(url) }
}

/** As a file of a copy in another place. */
export function copiedEdition(url: string, name: string): Edition {
  const base = name.includes('/') ? '..' : '.'
  const logo = logoBesideCopy(base)
  // The others stay the same files until their incidents change.
  const age = name === '' ? 'copy_of' : null
  return { age, base, home: `${base}/index.html`, subscribe: `${url}/subscribe`, logo }
}
