import { catalogue } from '../words/words.ts'

export const listingWords = catalogue({
  en: {
    search: 'Search',
    pages: 'Pages',
    previous: 'Previous',
    next: 'Next',
    shown: (first: string, last: string, all: string) => `${first}–${last} of ${all}`,
    nothingMatches: 'Nothing matches.',
  },
  pl: {
    search: 'Szukaj',
    pages: 'Strony',
    previous: 'Poprzednie',
    next: 'Następne',
    shown: (first: string, last: string, all: string) => `${first}–${last} z ${all}`,
    nothingMatches: 'Nic nie pasuje.',
  },
})
