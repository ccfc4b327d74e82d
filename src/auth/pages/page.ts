import { createHash } from 'node:crypto'
import { type Html, html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { style } from './style.ts'

export interface LoginPage {
  readonly language: Language
  readonly title: string
  readonly content: Html
  /** Further sources of `form-action`, to which the form's answer may redirect. */
  readonly formTargets?: readonly string[]
  /** The address of a script of ours; null: none runs. */
  readonly script?: string | null
  /** Room for tables and our own pictures; default: a narrow form. */
  readonly isWide?: boolean
}

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * Nothing is loaded but a script of ours where the page names one. No frame embeds the page, and its address, which may
 * hold a token, is not passed on.
 */
export function pageHeaders({
  formTargets = [],
  isWide = false,
  script = null,
}: Pick<LoginPage, 'formTargets' | 'isWide' | 'script'>): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ...(script === null ? [] : ["script-src 'self'", "connect-src 'self'"]),
    ...(isWide ? ["img-src 'self'"] : []),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    Vary: 'Accept, Accept-Language',
  }
}

/** A whole page that works without JavaScript. */
export function renderPage({ language, title, content, isWide = false, script = null }: LoginPage): string {
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Latarnik</title>
<style>${{ markup: style }}</style>
${script === null ? null : html`<script type="module" src="${script}"></script>`}
</head>
<body>
<main class="${isWide ? 'wide' : 'form'}">
<p class="brand">Latarnik</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return markup
}
