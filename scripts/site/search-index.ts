import MiniSearch from 'minisearch'
import { plainLetters } from '../../src/domain/text/plain-letters.ts'
import type { Language } from '../../src/wording/language.ts'
import { sectionOf } from './navigation.ts'
import { addressOf, type Page } from './pages.ts'

const excerptLength = 140

function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= excerptLength ? line : `${line.slice(0, line.lastIndexOf(' ', excerptLength))} …`
}

/** The words of all sections in one language, as JSON for the script of the search. */
export function searchIndex(pages: readonly Page[], language: Language): string {
  const options = {
    idField: 'address',
    fields: ['page', 'heading', 'text'],
    storeFields: ['shownPage', 'shownHeading', 'excerpt', 'weight', 'isLater'],
  }
  const search = new MiniSearch(options)
  for (const page of pages.filter((candidate) => candidate.language === language)) {
    search.addAll(
      page.sections.map(({ id, heading, text, found }, index) => ({
        address: `${addressOf(page)}${index === 0 || id === '' ? '' : `#${id}`}`,
        page: plainLetters(page.title),
        heading: plainLetters(heading),
        text: plainLetters(text),
        shownPage: found?.[0] ?? page.title,
        shownHeading: found?.[1] ?? (index === 0 ? '' : heading),
        excerpt: excerptOf(text),
        weight: sectionOf(page.name) === 'inside' ? 0.4 : 1,
        // Most readers search for a task, not for an operation or a decision of the makers.
        isLater: ['api', 'inside'].includes(sectionOf(page.name) ?? ''),
      })),
    )
  }
  return JSON.stringify({ options, index: search })
}
