import { type Html, html } from '../../src/wording/html.ts'
import { sectionOf, sectionsOf } from './navigation.ts'
import { addressOf, type Page, rootFrom } from './pages.ts'
import { type SectionName, type SiteWords, siteWords } from './words.ts'

/** Files that every page loads, as addresses below the root of the site. */
export interface Assets {
  readonly script: string
  readonly style: string
  readonly icon: string
}

export interface Site {
  readonly pages: readonly Page[]
  readonly assets: Assets
  readonly version: string
}

/** Sections with many pages, listed in full only among themselves. */
const folded: readonly SectionName[] = ['channels', 'api']

/** The page in its language, or in English. */
function inLanguage(page: Page, pages: readonly Page[]): readonly Page[] {
  const own = pages.filter(({ language }) => language === page.language)
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...pages.filter(({ language, name }) => language === 'en' && !names.has(name))]
}

const logo: Html = {
  markup:
    '<svg viewBox="0 0 32 32" aria-hidden="true"><path fill="#f2b134" d="M13 9 1 4v10zM19 9l12-5v10z"/><path fill="var(--accent)" d="M12 6l4-4 4 4v6h-8z"/><path fill="currentColor" d="M12 13h8l3 17H9z"/><path fill="var(--surface)" d="M11.3 18h9.4l.6 4H10.7z"/></svg>',
}

function navigationLink(to: Page, page: Page): Html {
  const here = to === page ? { markup: ' aria-current="page"' } : null
  const foreign = to.language === page.language ? null : { markup: ` lang="${to.language}" hreflang="${to.language}"` }
  return html`<li><a href="${rootFrom(page)}${addressOf(to)}"${here}${foreign}>${to.label}</a></li>`
}

function navigation(page: Page, site: Site, words: SiteWords): Html {
  const own = sectionOf(page.name)
  const sections = [...sectionsOf(inLanguage(page, site.pages))].map(([section, pages]) => {
    const shown = folded.includes(section) && section !== own ? pages.slice(0, 1) : pages
    const links = shown.map((to) => navigationLink(to, page))
    return links.length === 0 ? html`` : html`<h2>${words.sections[section]}</h2><ul>${links}</ul>`
  })
  return html`<nav id="pages" class="pages" popover aria-label="${words.navigation}">
<button class="close" popovertarget="pages" popovertargetaction="hide">${words.close}</button>
${sections}
<p class="version">${words.version(site.version)}</p>
</nav>`
}

/** Null for a page with few headings. */
function outline({ sections }: Page): Html | null {
  const headings = sections.filter(({ level }) => level === 2 || level === 3)
  if (headings.length < 3) return null
  const main = headings.length > 40 ? headings.filter(({ level }) => level === 2) : headings
  const links = main.map(
    ({ id, heading, level }) => html`<li class="level-${level}"><a href="#${id}">${heading}</a></li>`,
  )
  return html`<ul>${links}</ul>`
}

/** The pages before and after this one in its section. */
function neighbours(page: Page, site: Site, words: SiteWords): Html | null {
  const order = [...sectionsOf(site.pages.filter(({ language }) => language === page.language)).values()].flat()
  const at = order.indexOf(page)
  if (at === -1) return null
  const link = (to: Page | undefined, label: string, relation: string) =>
    to === undefined
      ? html`<span></span>`
      : html`<a rel="${relation}" href="${rootFrom(page)}${addressOf(to)}"><span>${label}</span> ${to.label}</a>`
  return html`<footer class="neighbours">${link(order[at - 1], words.previous, 'prev')}${link(order[at + 1], words.next, 'next')}</footer>`
}

/** The link to the same page in the other language, or to the home page there. */
function otherLanguage(page: Page, site: Site, words: SiteWords): Html {
  const language = page.language === 'en' ? 'pl' : 'en'
  const same = site.pages.find((other) => other.name === page.name && other.language === language)
  const to = same ?? { name: 'index', language }
  return html`<a class="language" href="${rootFrom(page)}${addressOf(to)}" lang="${language}" hreflang="${language}">${words.otherLanguage}</a>`
}

function head(page: Page, site: Site, root: string): Html {
  const words = siteWords[page.language]
  const translations = site.pages
    .filter(({ name, language }) => name === page.name && language !== page.language)
    .map((to) => html`<link rel="alternate" hreflang="${to.language}" href="${root}${addressOf(to)}">`)
  const { script, style, icon } = site.assets
  const title = page.name === 'index' ? words.site : `${page.title} · ${words.site}`
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${root}${icon}">
<link rel="stylesheet" href="${root}${style}">
${translations}
<script type="module" src="${root}${script}"></script>
</head>`
}

/** The field of the search, with the words and the place that its script needs. */
function searchField(root: string, page: Page, words: SiteWords): Html {
  return html`<form id="search" role="search" hidden data-root="${root}" data-language="${page.language}" data-none="${words.noResults}" data-failed="${words.searchFailed}" data-english="${words.inEnglish}" data-copy="${words.copy}" data-copied="${words.copied}">
<input type="search" name="q" aria-label="${words.searchHint}" placeholder="${words.search}" autocomplete="off" spellcheck="false" aria-controls="results">
<div id="results" hidden role="group" aria-label="${words.results}"><p role="status"></p><ul></ul></div>
</form>`
}

/** The whole document. `root` leads from the page to the root of the site. */
export function documentOf(page: Page, site: Site, root = rootFrom(page)): string {
  const words = siteWords[page.language]
  const list = outline(page)
  const hint = html`<h2>${words.onThisPage}</h2>`
  return html`<!doctype html>
<html lang="${page.language}">
${head(page, site, root)}
<body>
<a class="skip" href="#content">${words.skip}</a>
<header class="top">
<a class="brand" href="${root}${addressOf({ name: 'index', language: page.language })}">${logo}<span>Latarnik</span></a>
${searchField(root, page, words)}
${otherLanguage(page, site, words)}
<button class="menu" popovertarget="pages">${words.menu}</button>
</header>
<div class="frame${page.name === 'index' ? ' home' : ''}">
${navigation(page, site, words)}
<main id="content" tabindex="-1">
${list === null || page.name === 'index' ? null : html`<details class="outline"><summary>${words.onThisPage}</summary>${list}</details>`}
<article>${page.content}</article>
${neighbours(page, site, words)}
</main>
${list === null || page.name === 'index' ? null : html`<nav class="outline" aria-label="${words.onThisPage}">${hint}${list}</nav>`}
</div>
</body>
</html>
`.markup
}

/** Shown for an address without a page. It may stand at any depth, so its links start at `base`. */
export function notFoundDocument(site: Site, base: string): string {
  const paragraphs = (['en', 'pl'] as const).map((language) => {
    const words = siteWords[language]
    const home = `${base}${addressOf({ name: 'index', language })}`
    return html`<section lang="${language}"><h2>${words.notFound}</h2><p>${words.notFoundText} <a href="${home}">${words.home}</a></p></section>`
  })
  const { style, icon } = site.assets
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>404 · ${siteWords.en.site}</title>
<link rel="icon" type="image/svg+xml" href="${base}${icon}">
<link rel="stylesheet" href="${base}${style}">
</head>
<body>
<header class="top"><a class="brand" href="${base}index.html">${logo}<span>Latarnik</span></a></header>
<main class="not-found" id="content"><h1>404</h1>${paragraphs}</main>
</body>
</html>
`.markup
}
