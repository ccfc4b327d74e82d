import MiniSearch, { type Options, type SearchResult } from 'minisearch'

/** A part of a document that matches. */
export interface Found extends SearchResult {
  /** Its address below the root of the documents. */
  readonly id: string
  readonly shownPage: string
  readonly shownHeading: string
  readonly excerpt: string
  /** It stands below the others: an operation of the API, or a page about the inside of the program. */
  readonly isLater: boolean
  readonly language: string
}

export interface Index {
  readonly language: string
  readonly search: MiniSearch
}

/** As the index is made (src/domain/text/plain-letters.ts): `Łódź` is found as `lodz`. */
function folded(text: string): string {
  return text.replaceAll('ł', 'l').replaceAll('Ł', 'L').normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

async function load(root: string, language: string): Promise<Index> {
  const answer = await fetch(`${root}search-${language}.json`)
  if (!answer.ok) throw new Error(`search-${language}.json: ${answer.status}`)
  const { options, index } = (await answer.json()) as {
    options: Options
    index: Parameters<typeof MiniSearch.loadJS>[0]
  }
  return { language, search: MiniSearch.loadJS(index, options) }
}

/** The indexes of the reader's language and of English, in which all documents are. */
export function loadIndexes(root: string, language: string): Promise<readonly Index[]> {
  const languages = language === 'en' ? ['en'] : [language, 'en']
  return Promise.all(languages.map((name) => load(root, name)))
}

/** Names of the API: somebody who types one wants the operation. */
const apiName = /[_/]/

/**
 * At most so many results of each language, ordered by how well they fit; those in the reader's language come first,
 * and pages for users before operations of the API.
 */
export function find(indexes: readonly Index[], query: string, most: number): readonly Found[] {
  return indexes.flatMap(({ language, search }) =>
    search
      .search(folded(query), {
        ...{ prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { page: 3, heading: 4 } },
        boostDocument: (_address, _term, stored) => Number(stored?.['weight'] ?? 1),
      })
      .map((result) => ({ ...(result as Found), language }))
      // A sort keeps the order of equals.
      .toSorted((one, other) => (apiName.test(query) ? 0 : Number(one.isLater) - Number(other.isLater)))
      .slice(0, most),
  )
}

/** The page and the heading of a result. */
export function titleOf({ shownPage, shownHeading }: Found): string {
  return shownHeading === '' ? shownPage : `${shownPage} › ${shownHeading}`
}
