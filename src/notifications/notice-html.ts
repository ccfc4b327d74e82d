import { pictureId } from '../channels/wording.ts'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import type { CheckPart, NoticeContent, NoticeRow } from './notice-content.ts'

export interface HtmlFrame {
  readonly language: Language
  /** The preview that a list of mails shows beside the subject. */
  readonly preview: string
  /** The caption of the picture attached as `picture`; null if there is none. */
  readonly caption: string | null
}

/** Colours of the headline; white text is readable on each. */
const tones = { bad: '#b3261e', warning: '#8a5300', good: '#1b6e3c', quiet: '#4a5568' } as const

/** Many readers know no style sheets, so that all which matters stands at the elements; the sheet adds the dark. */
const sheet = html`
@media (prefers-color-scheme: dark) {
  body, .page { background: #16181d !important; color: #e6e8ec !important; }
  .card { background: #21242b !important; border-color: #3a3f4a !important; }
  .soft { color: #a9b0bd !important; }
  .line { border-color: #3a3f4a !important; }
  .bad { color: #ff9c93 !important; } .good { color: #7fd6a0 !important; }
  a { color: #8ab4ff !important; }
}`

/** A notice as HTML in tables, which every mail program understands. */
export function noticeHtml(content: NoticeContent, { language, preview, caption }: HtmlFrame): string {
  const { failures, checks, meanings } = content
  const sections = [
    table(content.summary),
    failures === null
      ? null
      : section(
          failures.title,
          failures.lines.map((line) => paragraph(line)),
        ),
    checks === null ? null : section(checks.title, checks.parts.map(checkHtml)),
    caption === null ? null : section(caption, [picture(caption)]),
    meanings === null ? null : section(meanings.title, meanings.parts.map(meaningHtml)),
    html`<div class="line" style="border-top:1px solid #dde1e7;margin:20px 0 12px"></div>${table(content.identity)}`,
    html`<p class="soft" style="margin:16px 0 0;color:#5b6472;font-size:13px">${content.zone}</p>`,
  ]
  const { markup } = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${content.headline}: ${content.name}</title><style>${sheet}</style></head>
<body class="page" style="margin:0;padding:0;background:#f2f4f7;color:#1d2430;font:15px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center" style="padding:20px 10px">
<table role="presentation" class="card" width="100%" cellspacing="0" cellpadding="0" style="max-width:640px;background:#ffffff;border:1px solid #dde1e7;border-radius:10px;text-align:left">
<tr><td style="background:${tones[content.tone]};color:#ffffff;padding:16px 24px;border-radius:9px 9px 0 0"><div style="font-size:13px;letter-spacing:.06em;font-weight:700">${content.headline}</div><h1 style="margin:2px 0 0;font-size:22px;line-height:1.3;word-break:break-word">${content.name}</h1><div style="font-size:14px;opacity:.9;word-break:break-all">${content.address}</div></td></tr>
<tr><td style="padding:18px 24px 22px">${sections.filter((part) => part !== null)}</td></tr>
</table></td></tr></table></body></html>
`
  return markup
}

function section(title: string, body: readonly Html[]): Html {
  return html`<h2 style="margin:22px 0 6px;font-size:15px">${title}</h2>${body}`
}

function table(rows: readonly NoticeRow[]): Html {
  const lines = rows.map(
    (row) =>
      html`<tr><td class="soft" style="padding:3px 16px 3px 0;color:#5b6472;vertical-align:top;white-space:nowrap">${row.label}</td><td style="padding:3px 0;vertical-align:top;word-break:break-word">${valueHtml(row)}</td></tr>`,
  )
  return html`<table role="presentation" cellspacing="0" cellpadding="0" style="font-size:15px">${lines}</table>`
}

function valueHtml({ value, isLink }: NoticeRow): Html {
  return isLink === true ? link(value, value) : html`${value}`
}

function link(url: string, text: string): Html {
  return html`<a href="${url}" style="color:#1a56b8;word-break:break-all">${text}</a>`
}

const colours = { ok: '#1b6e3c', error: '#b3261e', unknown: '#5b6472' } as const
const classes = { ok: 'good', error: 'bad', unknown: 'soft' } as const

function checkHtml({ sensor, result, outcome, message, links }: CheckPart): Html {
  const said =
    message === null
      ? null
      : html`<div class="soft" style="color:#5b6472;font:13px/1.5 Consolas,Menlo,monospace;word-break:break-word">${message}</div>`
  const further = links.map(({ label, url }, index) => html`${index === 0 ? '' : ' · '}${link(url, label)}`)
  return html`<div class="line" style="border-top:1px solid #e8ebf0;padding:8px 0"><div><b>${sensor}</b>: <span class="${classes[result]}" style="color:${colours[result]}">${outcome}</span></div>${said}${further.length === 0 ? null : html`<div style="font-size:13px">${further}</div>`}</div>`
}

function meaningHtml({ label, value }: NoticeRow): Html {
  return paragraph(html`<b>${label}.</b> ${value}`)
}

function paragraph(content: string | Html): Html {
  return html`<p style="margin:0 0 8px">${content}</p>`
}

function picture(caption: string): Html {
  return html`<img src="cid:${pictureId}" alt="${caption}" width="590" class="line" style="display:block;box-sizing:border-box;width:100%;max-width:590px;height:auto;border:1px solid #dde1e7;border-radius:6px">`
}
