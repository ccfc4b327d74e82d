import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSite } from '../../scripts/site/build-site.ts'
import { documentOf } from '../../scripts/site/layout.ts'
import { addressOf } from '../../scripts/site/pages.ts'

/** Read as a text: the console is no part of the program. */
const lines = readFileSync('web/help/help-pages.ts', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('  [/'))
const helpPages = lines.map((line) => {
  const [, pattern, page] = /^ {2}\[\/(.+)\/, '([^']*)'\],$/.exec(line) ?? []
  if (pattern === undefined || page === undefined) throw new Error(`This line is no pattern and page: ${line}`)
  return [new RegExp(pattern), page] as const
})

const { pages } = readSite('.')
const assets = { script: 'assets/a.js', style: 'assets/a.css', icon: 'assets/a.svg' }
const documents = new Map(
  pages.map((page) => [addressOf(page), documentOf(page, { pages, assets, version: '0.0.0' })] as const),
)

test.each(helpPages.map(([pattern, page]) => [String(pattern), page]))('the document of %s is there: %s', (_, page) => {
  const [address = '', anchor] = page.split('#')
  const document = documents.get(address === '' ? 'index.html' : address)
  expect(document).toBeDefined()
  if (address.startsWith('guide/')) expect(documents.get(`pl/${address}`)).toBeDefined()
  if (anchor !== undefined) expect(document).toContain(` id="${anchor}"`)
})

test('every path of the console has a document, and each pattern decides for some path', () => {
  const sources = ['web/app.tsx', 'web/screens/account/account-screen.tsx'].map((file) => readFileSync(file, 'utf8'))
  const routes = sources.flatMap((source) =>
    [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path = '']) => path),
  )
  expect(routes.length).toBeGreaterThan(25)
  const examples = routes.map((route) =>
    route
      .replace(':place', 'on-call')
      .replace(':section', 'keys')
      .replace('*', 'accounts')
      .replaceAll(/:[a-z]+/g, '7'),
  )
  const deciding = (path: string) => helpPages.findIndex(([pattern]) => pattern.test(path))
  expect(examples.filter((path) => deciding(path) === -1)).toEqual([])
  const used = new Set([...examples, '/wallboard'].map(deciding))
  expect(helpPages.filter((_, index) => !used.has(index)).map(([pattern]) => String(pattern))).toEqual([])
  expect(helpPages.length).toBeGreaterThan(20)
})
