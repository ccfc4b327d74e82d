import type { Language } from '../../src/wording/language.ts'

/** The texts around the pages. */
const english = {
  site: 'Latarnik documentation',
  skip: 'Skip to the content',
  menu: 'Menu',
  close: 'Close',
  navigation: 'Pages',
  search: 'Search',
  searchHint: 'Search the documentation',
  noResults: 'Nothing found',
  results: 'Results',
  searchFailed: 'The search index could not be loaded.',
  inEnglish: 'in English',
  onThisPage: 'On this page',
  table: 'Table',
  linkTo: 'Link to:',
  previous: 'Previous',
  next: 'Next',
  copy: 'Copy',
  copied: 'Copied',
  otherLanguage: 'Polski',
  notFound: 'This page does not exist',
  notFoundText: 'The address may be mistyped, or the page has moved.',
  home: 'Start of the documentation',
  version: (version: string) => `Latarnik ${version}`,
  sections: {
    start: 'Start',
    guides: 'Guides',
    channels: 'Channels',
    reference: 'Reference',
    api: 'HTTP API',
    operating: 'Operating',
    inside: 'Inside',
  },
}

export type SiteWords = typeof english
export type SectionName = keyof SiteWords['sections']

const polish: SiteWords = {
  site: 'Dokumentacja Latarnika',
  skip: 'Przejdź do treści',
  menu: 'Menu',
  close: 'Zamknij',
  navigation: 'Strony',
  search: 'Szukaj',
  searchHint: 'Szukaj w dokumentacji',
  noResults: 'Nic nie znaleziono',
  results: 'Wyniki',
  searchFailed: 'Nie udało się wczytać spisu do wyszukiwania.',
  inEnglish: 'po angielsku',
  onThisPage: 'Na tej stronie',
  table: 'Tabela',
  linkTo: 'Odnośnik do:',
  previous: 'Poprzednia',
  next: 'Następna',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  otherLanguage: 'English',
  notFound: 'Nie ma takiej strony',
  notFoundText: 'Adres może zawierać literówkę albo strona zmieniła miejsce.',
  home: 'Początek dokumentacji',
  version: (version) => `Latarnik ${version}`,
  sections: {
    start: 'Początek',
    guides: 'Przewodnik',
    channels: 'Kanały (po angielsku)',
    reference: 'Opis szczegółowy (po angielsku)',
    api: 'HTTP API (po angielsku)',
    operating: 'Utrzymanie (po angielsku)',
    inside: 'Od środka (po angielsku)',
  },
}

export const siteWords: Readonly<Record<Language, SiteWords>> = { en: english, pl: polish }
