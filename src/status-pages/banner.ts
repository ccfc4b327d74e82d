import { createHash } from 'node:crypto'
import { readableOn } from '../domain/status-pages/contrast.ts'
import { html } from '../wording/html.ts'
import { badgeColors } from './badge-picture.ts'
import { headlineOf, isUnknown } from './page-html.ts'
import type { Snapshot } from './snapshot.ts'

/** The state of a page on other sites: a picture, and a document for a frame. */

function colorOf(snapshot: Snapshot): string {
  if (isUnknown(snapshot)) return badgeColors.grey
  const { indicator } = snapshot
  if (indicator === 'none') return badgeColors.good
  if (indicator === 'maintenance') return '#2a5db0'
  return indicator === 'minor' ? badgeColors.middling : badgeColors.bad
}

/** A longer title is cut, so that the picture fits into a site. */
const longestTitle = 60

function titleOf({ page }: Snapshot): string {
  const letters = [...page.title]
  return letters.length > longestTitle ? `${letters.slice(0, longestTitle - 1).join('')}…` : page.title
}

/** Pixels of a letter, roughly; `textLength` makes the text fit exactly. */
const letter = 7.4
const [height, padding, dot] = [40, 14, 12]

export function bannerPicture(snapshot: Snapshot): string {
  const [title, headline] = [titleOf(snapshot), headlineOf(snapshot)]
  const [titleWidth, headlineWidth] = [title, headline].map((one) => Math.round([...one].length * letter)) as [
    number,
    number,
  ]
  const start = padding + dot + 8
  const middle = start + titleWidth + 12
  const width = middle + headlineWidth + padding
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: ${headline}"><title>${title}: ${headline}</title><rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="#fff" stroke="#d5dee4"/><circle cx="${padding + dot / 2}" cy="20" r="${dot / 2}" fill="${colorOf(snapshot)}"/><g font-family="Verdana,DejaVu Sans,sans-serif" font-size="13"><text x="${start}" y="25" textLength="${titleWidth}" font-weight="bold" fill="#15222b">${title}</text><text x="${middle}" y="25" textLength="${headlineWidth}" fill="#52626d">${headline}</text></g></svg>`
    .markup
}

function styleOf(snapshot: Snapshot): string {
  const color = colorOf(snapshot)
  const dark = readableOn('#172128', color)
  return `:root{color-scheme:light dark;--state:${color};--ground:#fff;--ink:#15222b;--line:#d5dee4}@media(prefers-color-scheme:dark){:root{--state:${dark};--ground:#172128;--ink:#e7eef3;--line:#2c3a43}}body{margin:0;font:.875rem/1.3 system-ui,sans-serif}a{display:flex;align-items:center;gap:.625rem;padding:.625rem .875rem;border:1px solid var(--line);border-left:.375rem solid var(--state);border-radius:.5rem;background:var(--ground);color:var(--ink);text-decoration:none}a:focus-visible{outline:3px solid var(--state);outline-offset:-3px}b{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}span{flex:none;max-width:65%}`
}

/**
 * Any site may show it in a frame if anybody with its address may see it. It loads nothing, and its link opens a tab of
 * its own.
 */
export function bannerPolicy(snapshot: Snapshot): string {
  const { access } = snapshot.page
  const around = access === 'public' || access === 'link' ? '*' : "'self'"
  const hash = createHash('sha256').update(styleOf(snapshot)).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors ${around}`
}

export function bannerHtml(snapshot: Snapshot, url: string): string {
  const { language, page } = snapshot
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${page.title}</title><style>${{ markup: styleOf(snapshot) }}</style></head>
<body><a href="${url}" target="_blank" rel="noopener"><b>${titleOf(snapshot)}</b><span>${headlineOf(snapshot)}</span></a></body></html>
`.markup
}
