/** Browsers need this policy before they parse a document of the server. */
interface Markups {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string }
}

let policy: ReturnType<Markups['createPolicy']> | null = null

/**
 * For the frame of a preview alone: no script runs there. Browsers that know no trusted types take the text as it is.
 */
export function markup(text: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Markups }
  policy ??= trustedTypes?.createPolicy('status-page-preview', { createHTML: (given) => given }) ?? null
  return policy?.createHTML(text) ?? text
}

export const emptyDocument = '<!doctype html><html lang="en"><title>…</title>'

/** The rules for one scheme, whatever the reader's own is. */
function forScheme(css: string, scheme: 'light' | 'dark'): string {
  return css.replaceAll('(prefers-color-scheme: dark)', scheme === 'dark' ? 'all' : 'not all')
}

/**
 * Draws a page into the document of a frame. Its style comes as a sheet, because the console's policy permits no other.
 */
export function drawInto(inner: Document, html: string, scheme: 'light' | 'dark'): void {
  const [style = '', css = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
  const page = new DOMParser().parseFromString(markup(html.replace(style, '')), 'text/html')
  // Links lead nowhere from a page that is not there yet.
  for (const link of page.querySelectorAll('a')) link.removeAttribute('href')
  for (const source of page.querySelectorAll('source')) source.media = forScheme(source.media, scheme)
  const view = inner.defaultView as (Window & typeof globalThis) | null
  if (view === null) return
  const sheet = new view.CSSStyleSheet()
  sheet.replaceSync(forScheme(css, scheme))
  inner.adoptedStyleSheets = [sheet]
  inner.documentElement.lang = page.documentElement.lang
  inner.title = page.title
  inner.body.replaceChildren(...page.body.childNodes)
}
