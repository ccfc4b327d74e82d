import type { LogoRow } from '../database/status-pages/page-logos.ts'
import { type Html, html } from '../wording/html.ts'
import type { Snapshot } from './snapshot.ts'

/** Where the document finds a picture. */
export type LogoAddress = (logo: LogoRow) => string

/** A drawing is a picture and nothing else, even for whoever opens it alone: no script, no request, no form. */
export const logoPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

const folder = 'logos/'
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
}

/** Its name among the documents of a page. */
function logoName({ id, content_type: type }: LogoRow): string {
  return `${folder}${id}.${endings[type] ?? 'bin'}`
}

export function logosOf({ logos: { light, dark } }: Snapshot): readonly LogoRow[] {
  return [light, dark].filter((logo) => logo !== null)
}

export function logoNamed(name: string, snapshot: Snapshot): LogoRow | undefined {
  return name.startsWith(folder) ? logosOf(snapshot).find((logo) => logoName(logo) === name) : undefined
}

/** Below the path of the page, so that it is found at each of its hosts. */
export function logoBelow(url: string): LogoAddress {
  const path = new URL(url).pathname.replace(/\/$/, '')
  return (logo) => `${path}/${logoName(logo)}`
}

/** Within the document itself. */
export const logoWithin: LogoAddress = ({ content_type: type, content }) =>
  `data:${type};base64,${content.toString('base64')}`

const isDrawing = ({ content_type: type }: LogoRow) => type === 'image/svg+xml'

/** Beside a copy in another place, which lacks our policy: a drawing has no file there, as its scripts would run. */
export function logoBesideCopy(base: string): LogoAddress {
  return (logo) => (isDrawing(logo) ? logoWithin(logo) : `${base}/${logoName(logo)}`)
}

/** The logos that files of a copy may hold. */
export function logoFiles(snapshot: Snapshot): readonly string[] {
  return logosOf(snapshot)
    .filter((logo) => !isDrawing(logo))
    .map(logoName)
}

/** Pixels: no page is moved by a picture that comes later. */
const mostHeight = 64
const mostWidth = 320

function sizeOf({ width, height }: LogoRow): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, mostHeight / height, mostWidth / width)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

export function logoHtml({ page, logos: { light, dark } }: Snapshot, addressOf: LogoAddress): Html | null {
  const first = light ?? dark
  if (first === null) return null
  const { width, height } = sizeOf(first)
  const forDark =
    dark === null || dark === first
      ? null
      : html`<source media="(prefers-color-scheme: dark)" srcset="${addressOf(dark)}" width="${sizeOf(dark).width}" height="${sizeOf(dark).height}">`
  return html`<picture class="logo">${forDark}<img src="${addressOf(first)}" alt="${page.theme.logo_alt ?? ''}" width="${width}" height="${height}"></picture>
`
}
