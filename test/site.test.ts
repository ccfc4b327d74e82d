import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import MiniSearch from 'minisearch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSite } from '../scripts/site/build-site.ts'
import { documentOf, notFoundDocument, type Site } from '../scripts/site/layout.ts'
import { orderedNames, sectionOf, sectionsOf } from '../scripts/site/navigation.ts'
import { addressOf, readSources } from '../scripts/site/pages.ts'
import { searchIndex } from '../scripts/site/search-index.ts'
import { packageDirectory } from '../src/console/files.ts'
import { type ApiWorld, apiWorld } from './support/api.ts'

const { pages, needed } = readSite('.')
const assets = { script: 'assets/a.js', style: 'assets/a.css', icon: 'assets/a.svg' }
const site: Site = { pages, assets, version: '0.0.0' }
const documents = new Map(pages.map((page) => [addressOf(page), documentOf(page, site)]))
const files = new Set([...Object.values(assets), ...[...needed].map((file) => file.replace(/^docs\//, ''))])

const idsIn = (document: string) => new Set([...document.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))
const ids = new Map([...documents].map(([address, document]) => [address, idsIn(document)]))

/** Null if the link leads somewhere. */
function faultOf(link: string, from: string): string | null {
  if (/^(https?|mailto):/.test(link)) return null
  const [path = '', anchor] = link.replaceAll('&amp;', '&').split('#')
  const address = path === '' ? from : posix.normalize(posix.join(posix.dirname(from), path))
  if (files.has(address)) return null
  const known = ids.get(address)
  if (known === undefined) return `${from}: ${link} leads nowhere`
  return anchor === undefined || known.has(decodeURIComponent(anchor)) ? null : `${from}: ${link} has no such heading`
}

test('every document is a page, once, in one section of the navigation', () => {
  const sources = readSources('.')
  expect(sources.length).toBeGreaterThan(50)
  expect(documents.size).toBe(pages.length)
  for (const language of ['en', 'pl'] as const) {
    const own = pages.filter((page) => page.language === language && page.name !== 'index')
    const placed = [...sectionsOf(own).values()].flat()
    expect(placed.map(({ name }) => name).toSorted()).toEqual(own.map(({ name }) => name).toSorted())
  }
})

test('no two pages that the navigation shows beside each other have one name', () => {
  const labels = [...sectionsOf(pages.filter(({ language }) => language === 'en'))]
    .filter(([section]) => !['channels', 'api'].includes(section))
    .flatMap(([, shown]) => shown.map(({ label }) => label))
  expect(labels.length).toBeGreaterThan(30)
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([])
})

test('the order of the navigation names pages that are there', () => {
  const names = new Set(pages.map(({ name }) => name))
  expect(orderedNames.filter((name) => !names.has(name))).toEqual([])
  expect(new Set(orderedNames).size).toBe(orderedNames.length)
})

test('every link of every page leads to a page, a heading or a file', () => {
  const links = [...documents].flatMap(([address, document]) =>
    [...document.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => ({ address, link })),
  )
  expect(links.length).toBeGreaterThan(5000)
  expect(
    [...new Set(links.map(({ address, link }) => faultOf(link, address)))].filter((fault) => fault !== null),
  ).toEqual([])
})

test('no page has what its policy forbids: scripts and styles inside it', () => {
  const all = [...documents.values(), notFoundDocument(site, '/docs/')]
  const forbidden = /<style|<script(?! type="module" src=)|<[^>]+ (?:style|on\w+)=/
  expect(all.filter((document) => forbidden.test(document))).toEqual([])
})

/** Levels of headings in their order. */
const outlineOf = (page: Site['pages'][number]) => page.sections.map(({ level }) => level)

test('pages of the guide, and the home page, are in both languages, with the same headings', () => {
  const guide = pages.filter(({ name }) => name === 'index' || ['start', 'guides'].includes(sectionOf(name) ?? ''))
  const english = guide.filter(({ language }) => language === 'en')
  const polish = new Map(guide.filter(({ language }) => language === 'pl').map((page) => [page.name, page]))
  expect([...polish.keys()].toSorted()).toEqual(english.map(({ name }) => name).toSorted())
  for (const page of english) {
    const other = polish.get(page.name)
    expect({ name: page.name, outline: other && outlineOf(other) }).toEqual({
      name: page.name,
      outline: outlineOf(page),
    })
    expect(other?.title).not.toBe(page.name === 'index' ? '' : page.title)
  }
})

describe('the search', () => {
  const find = (language: 'en' | 'pl', query: string) => {
    const { options, index } = JSON.parse(searchIndex(pages, language))
    return MiniSearch.loadJS(index, options).search(query, { prefix: true, combineWith: 'AND' })
  }

  test.each([
    ['crontab', 'heartbeats.html'],
    ['restore backup', 'operations.html#backup-and-moving'],
    ['rotations POST', 'api/rotations.html'],
  ])('%s is found in %s', (query, address) => {
    const found = find('en', query).map(({ id }) => String(id))
    expect(found.some((id) => id.startsWith(address))).toBe(true)
  })

  test('operations are told apart by their summary, their method and their path, and stand below the guide', () => {
    const found = find('en', 'subscriber')
    const [operations, others] = [
      found.filter(({ id }) => String(id).startsWith('api/')),
      found.filter(({ id }) => /^(guide\/)?status-page/.test(String(id))),
    ]
    expect(operations.length).toBeGreaterThan(5)
    expect(others.length).toBeGreaterThan(3)
    expect(operations.every(({ isLater }) => isLater) && others.every(({ isLater }) => !isLater)).toBe(true)
    const titles = operations.map(({ shownPage, shownHeading }) => `${shownPage} ${shownHeading}`)
    expect(new Set(titles).size).toBe(titles.length)
    expect(titles).toContain('Delete a status page subscriber DELETE /status_page_subscribers/{_id}')
    expect(titles).toContain('API: status_page_subscribers ')
  })

  test('Polish words are found without their marks', () => {
    expect(find('pl', 'uslug').map(({ id }) => id)).toContain('pl/index.html')
  })
})

describe('the served site', () => {
  let api: ApiWorld
  beforeAll(async () => {
    api = await apiWorld()
  })
  afterAll(() => api?.drop())
  const get = (url: string, headers: Record<string, string> = {}) => api.server.inject({ url, headers })

  test.each(['/docs/', '/docs/pl/', '/docs/tags.html', '/docs/channels/', '/docs/api/services.html'])(
    '%s is open, strict and compressed, and asked for again only with its ETag',
    async (url) => {
      const answer = await get(url, { 'accept-encoding': 'br' })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-encoding': 'br',
        'cache-control': 'no-cache',
      })
      expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'/)
      expect(answer.headers['content-security-policy']).not.toContain('unsafe')
      const again = await get(url, { 'accept-encoding': 'br', 'if-none-match': String(answer.headers.etag) })
      expect(again.statusCode).toBe(304)
    },
  )

  test('scripts and styles are named by their content and kept for good', async () => {
    const page = (await get('/docs/')).payload
    const files = [...page.matchAll(/ (?:src|href)="(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file)
    expect(files).toHaveLength(2)
    for (const file of files) {
      const answer = await get(`/docs/${file}`)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['cache-control']).toContain('immutable')
    }
  })

  test('/docs leads to the language of the reader', async () => {
    expect((await get('/docs', { 'accept-language': 'pl' })).headers.location).toBe('/docs/pl/')
    expect((await get('/docs', { 'accept-language': 'en' })).headers.location).toBe('/docs/')
  })

  test.each([
    '/docs/nothing',
    '/docs/a/b.html',
    '/docs/assets/x.js',
    '/docs/..%2fbuilt',
    '/docs/..%2f..%2fpackage.json',
  ])('%s has no page, and the answer says so with ways back', async (url) => {
    const answer = await get(url)
    expect([400, 403, 404]).toContain(answer.statusCode)
    expect(answer.headers['cache-control'] ?? '').not.toContain('immutable')
    if (answer.statusCode === 404) expect(answer.payload).toContain('href="/docs/pl/index.html"')
  })

  test('a built site has every page, and each file compressed', () => {
    const folder = join(packageDirectory(), 'dist/docs')
    const missing = [...documents.keys()].flatMap((address) =>
      ['', '.gz'].map((end) => join(folder, `${address}${end}`)).filter((file) => !existsSync(file)),
    )
    expect(missing).toEqual([])
    expect(readFileSync(join(folder, 'search-en.json.gz')).length).toBeLessThan(300_000)
  })
})
