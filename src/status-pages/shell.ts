import { createHash } from 'node:crypto'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { styleOf } from './style.ts'

/** A page that visitors get: bytes with the policy that goes with their style. */
export interface Shell {
  readonly language: Language
  readonly title: string
  readonly description: string
  readonly accent: string | null
  readonly isIndexed: boolean
  readonly head: Html
  readonly content: Html
}

/** Nothing but a logo is loaded, no script runs, and no other site shows the page in a frame. */
export function policyOf(accent: string | null, hasLogo = false): string {
  const hash = createHash('sha256').update(styleOf(accent)).digest('base64')
  return [
    "default-src 'none'",
    ...(hasLogo ? ["img-src 'self'"] : []),
    `style-src 'sha256-${hash}'`,
    // No script asks for anything; checkers of pages read the robots.txt of the site by it.
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** For the one page that asks the browser for notifications: our own script runs, and nothing else is loaded. */
export function scriptedPolicyOf(accent: string | null): string {
  return `${policyOf(accent)}; script-src 'self'; worker-src 'self'`
}

export function shellText({ language, title, description, accent, isIndexed, head, content }: Shell): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
${
  isIndexed
    ? null
    : html`<meta name="robots" content="noindex">
`
}${head}<title>${title}</title>
<style>${{ markup: styleOf(accent) }}</style>
</head>
<body>
<div class="all">
${content}
</div>
</body>
</html>
`.markup
}
