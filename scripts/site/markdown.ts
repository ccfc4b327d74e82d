import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { imageSize } from 'image-size'
import markdownIt from 'markdown-it'
import type { Language } from '../../src/wording/language.ts'
import { addressOf, type Page, rootFrom, type Section, type Source } from './pages.ts'
import { siteWords } from './words.ts'

type Parser = ReturnType<typeof markdownIt>
type Token = ReturnType<Parser['parse']>[number]

/** The anchor of a heading, as code hosts make it. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** Where links of the repository lead in the site. */
export interface Places {
  readonly root: string
  /** The sources by their path in the repository. */
  readonly sources: ReadonlyMap<string, Source>
  /** Files that pages show or link to; they are copied. Paths in the repository. */
  readonly needed: Set<string>
}

/** Documents that the site shows in another form. */
const replaced: Readonly<Record<string, string>> = { 'docs/openapi.json': 'api/index.html', 'README.md': 'index.html' }

/** The address below the root of the site; null: the site does not have the file. */
function addressOfFile(file: string, { root, sources, needed }: Places): string | null {
  const source = sources.get(file)
  if (source !== undefined) return addressOf(source)
  const other = replaced[file]
  if (other !== undefined) return other
  const isOffered = /^(docs|deploy)\//.test(file) && /\.\w+$/.test(file) && existsSync(join(root, file))
  if (!isOffered) return null
  needed.add(file)
  return file.replace(/^docs\//, '')
}

/** The link of a source as a link of its page; null: there is nothing to link to. */
function linkOf(link: string, source: Source, places: Places): string | null {
  if (/^(https?:|mailto:|#)/.test(link)) return link
  const [path = '', anchor] = link.split('#')
  const file = posix.normalize(posix.join(posix.dirname(source.file), decodeURIComponent(path)))
  const address = addressOfFile(file, places)
  return address === null ? null : `${rootFrom(source)}${address}${anchor === undefined ? '' : `#${anchor}`}`
}

function setLinks(tokens: readonly Token[], source: Source, places: Places): void {
  const unlinked: boolean[] = []
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const link = linkOf(String(token.attrGet('href')), source, places)
      unlinked.push(link === null)
      if (link === null) token.hidden = true
      else token.attrSet('href', link)
    }
    if (token.type === 'link_close') token.hidden = unlinked.pop() ?? false
    if (token.type === 'image') setPicture(token, source, places)
  }
}

function setPicture(token: Token, source: Source, places: Places): void {
  const path = String(token.attrGet('src'))
  const file = posix.normalize(posix.join(posix.dirname(source.file), path))
  token.attrSet('src', linkOf(path, source, places) ?? path)
  const { width, height } = imageSize(readFileSync(join(places.root, file)))
  token.attrSet('width', String(width))
  token.attrSet('height', String(height))
  token.attrSet('loading', 'lazy')
}

/** Text without markup. */
function plainText(tokens: readonly Token[] | null): string {
  return (tokens ?? [])
    .map((token) =>
      token.type === 'softbreak' ? ' ' : token.children === null ? token.content : plainText(token.children),
    )
    .join('')
}

/** Names the headings and collects the sections. */
function sectionsIn(tokens: readonly Token[]): readonly Section[] {
  const used = new Map<string, number>()
  const sections: { id: string; heading: string; level: number; text: string[] }[] = []
  tokens.forEach((token, index) => {
    const inline = tokens[index + 1]
    if (token.type === 'heading_open') {
      const heading = plainText(inline?.children ?? null)
      const slug = slugOf(heading)
      const before = used.get(slug) ?? 0
      used.set(slug, before + 1)
      const id = before === 0 ? slug : `${slug}-${before}`
      token.attrSet('id', id)
      sections.push({ id, heading, level: Number(token.tag.slice(1)), text: [] })
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      sections.at(-1)?.text.push(plainText(token.children))
    } else if (token.type === 'fence') {
      sections.at(-1)?.text.push(token.content)
    }
  })
  return sections.map((section) => ({ ...section, text: section.text.join(' ') }))
}

/** The policy of the site forbids style attributes; wide tables and code scroll, with the keyboard too. */
function setRules(parser: Parser, language: Language): void {
  const words = siteWords[language]
  const { rules } = parser.renderer
  const { escapeHtml } = parser.utils
  rules['table_open'] = () => `<div class="table" role="group" aria-label="${words.table}" tabindex="0"><table>`
  rules['table_close'] = () => '</table></div>'
  rules['fence'] = (tokens, index) =>
    `<pre tabindex="0"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`
  rules['code_block'] = rules['fence']
  rules['heading_close'] = (tokens, index) => {
    const [open, inline] = [tokens[index - 2], tokens[index - 1]]
    const tag = open?.tag ?? 'h2'
    if (tag === 'h1') return '</h1>\n'
    const label = escapeHtml(`${words.linkTo} ${plainText(inline?.children ?? null)}`)
    return ` <a class="anchor" href="#${open?.attrGet('id')}" aria-label="${label}">#</a></${tag}>\n`
  }
  for (const cell of ['th_open', 'td_open']) {
    rules[cell] = (tokens, index, options, _environment, self) => {
      const token = tokens[index]
      if (token !== undefined) amendCell(token, tokens[index + 1], tokens[index + 2])
      return self.renderToken(tokens, index, options)
    }
  }
}

/** The alignment becomes a class, and a heading without text is no heading. */
function amendCell(open: Token, inline: Token | undefined, close: Token | undefined): void {
  const style = open.attrGet('style')
  if (style !== null) open.attrs = [['class', String(style).replace('text-align:', 'align-')]]
  if (open.tag !== 'th' || inline?.content !== '') return
  open.tag = 'td'
  if (close !== undefined) close.tag = 'td'
}

/** Makes a page of a document. */
export function pageOf(source: Source, places: Places): Page {
  const parser = markdownIt({ html: false, linkify: false })
  setRules(parser, source.language)
  const tokens = parser.parse(source.text, {})
  const sections = sectionsIn(tokens)
  for (const token of tokens) if (token.children !== null) setLinks(token.children, source, places)
  const title = sections[0]?.heading ?? source.name
  return {
    name: source.name,
    language: source.language,
    title,
    label: title.replace(/(: .*|, and which run when)$/, ''),
    content: { markup: parser.renderer.render(tokens, parser.options, {}) },
    sections,
  }
}

const plain = markdownIt({ html: false, linkify: false })
setRules(plain, 'en')

/** Markdown inside a generated page; it has no links to documents. */
export function renderMarkdown(text: string): Pick<Page, 'content' | 'sections'> {
  const tokens = plain.parse(text, {})
  const sections = sectionsIn(tokens)
  return { content: { markup: plain.renderer.render(tokens, plain.options, {}) }, sections }
}
