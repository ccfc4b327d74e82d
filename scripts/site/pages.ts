import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Html } from '../../src/wording/html.ts'
import type { Language } from '../../src/wording/language.ts'

/** A part of a page that the search finds. */
export interface Section {
  readonly id: string
  readonly heading: string
  readonly level: number
  readonly text: string
  /** The two parts of its title among the results of a search, if they are not the page's title and the heading. */
  readonly found?: readonly [page: string, heading: string]
}

export interface Page {
  /** The path without `.html` and without the language: `channels/slack`. Translations share it. */
  readonly name: string
  readonly language: Language
  readonly title: string
  /** The title in the navigation. */
  readonly label: string
  readonly content: Html
  readonly sections: readonly Section[]
}

/** A file of the repository that becomes a page. */
export interface Source {
  /** Its path in the repository. */
  readonly file: string
  readonly name: string
  readonly language: Language
  readonly text: string
}

/** Documents beside docs/ that belong to the site. */
const besides = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']

function placeOf(file: string): Pick<Source, 'name' | 'language'> {
  const path = file.replace(/^docs\//, '').replace(/\.md$/, '')
  if (!file.startsWith('docs/')) return { name: path.toLowerCase(), language: 'en' }
  return path.startsWith('pl/') ? { name: path.slice(3), language: 'pl' } : { name: path, language: 'en' }
}

/** All documents of the repository, sorted by path. */
export function readSources(root: string): readonly Source[] {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
  return [...documents, ...besides.filter((file) => existsSync(join(root, file)))]
    .toSorted()
    .map((file) => ({ file, ...placeOf(file), text: readFileSync(join(root, file), 'utf8') }))
}

/** The address of a page below the root of the site. */
export function addressOf({ name, language }: Pick<Page, 'name' | 'language'>): string {
  return `${language === 'en' ? '' : `${language}/`}${name}.html`
}

/** The way from a page to the root of the site: '' or '../'. */
export function rootFrom(page: Pick<Page, 'name' | 'language'>): string {
  return '../'.repeat(addressOf(page).split('/').length - 1)
}
