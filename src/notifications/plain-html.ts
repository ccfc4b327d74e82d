import { pictureId } from '../channels/wording.ts'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'

const link = /(https?:\/\/[^\s<>"']{1,2000})/

/** A text as HTML: nothing of it is markup, addresses of the web are links, lines stay lines. */
export function plainHtml(text: string, { language, hasPicture }: { language: Language; hasPicture: boolean }): string {
  // Every second part is what the pattern found.
  const parts = text.split(link).map((part, index) => (index % 2 === 0 ? html`${part}` : linked(part)))
  const picture = hasPicture
    ? html`<p><img src="cid:${pictureId}" alt="" style="max-width:100%;height:auto"></p>`
    : html``
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"></head>
<body style="font:15px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="white-space:pre-wrap;overflow-wrap:anywhere">${parts}</div>${picture}
</body></html>
`.markup
}

/** The full stop or bracket after an address belongs to the sentence. */
function linked(found: string): Html {
  const end = /[.,;:!?)\]]{1,5}$/.exec(found)?.[0] ?? ''
  const url = found.slice(0, found.length - end.length)
  return html`<a href="${url}">${url}</a>${end}`
}
