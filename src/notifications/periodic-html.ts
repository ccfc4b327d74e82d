import { type Html, html } from '../wording/html.ts'
import type { Figure, WordedPeriod, WordedService } from './periodic-text.ts'

/** Programs that show mail know tables and styles of single elements, and little else. */
const colour = { ink: '#1c2733', faint: '#5b6775', line: '#d5dbe2', good: '#2f7d4f', bad: '#b3261e', ground: '#f2f5f8' }
const cell = `padding:8px 10px;border-bottom:1px solid ${colour.line};vertical-align:top;`
const head = `padding:8px 10px;border-bottom:2px solid ${colour.ink};font-size:12px;color:${colour.faint};`

export function periodHtml(worded: WordedPeriod): string {
  const { language, subject, title, group, period, figures, services, labels, unnamed, notes } = worded
  const remark = unnamed === null ? html`` : html`<p style="color:${colour.faint};">${unnamed}</p>`
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body style="margin:0;padding:0;background:${colour.ground};">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${colour.ground};"><tr><td align="center" style="padding:16px 8px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:680px;background:#ffffff;border:1px solid ${colour.line};border-radius:6px;"><tr><td style="padding:24px;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:1.45;color:${colour.ink};">
<p style="margin:0;font-size:13px;color:${colour.faint};">${title}</p>
<h1 style="margin:0 0 2px;font-size:22px;line-height:1.25;word-break:break-word;">${group}</h1>
<p style="margin:0 0 18px;color:${colour.faint};">${period}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin-bottom:20px;background:${colour.ground};border-radius:4px;"><tr>
${figures.map(figureCell)}
</tr></table>
<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:14px;">
<thead><tr>
<th scope="col" align="left" style="${head}">${labels.service}</th>
<th scope="col" align="right" style="${head}white-space:nowrap;">${labels.availability}</th>
<th scope="col" align="right" style="${head}white-space:nowrap;">${labels.failures}</th>
</tr></thead>
<tbody>
${services.map(serviceRow)}
</tbody>
</table>
${remark}
${notes.map((note) => html`<p style="margin:14px 0 0;font-size:12px;color:${colour.faint};">${note}</p>\n`)}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
  return markup
}

function figureCell({ label, value, isBad }: Figure): Html {
  const ink = isBad ? colour.bad : colour.ink
  return html`<td style="padding:12px 10px;vertical-align:top;"><span style="font-size:12px;color:${colour.faint};">${label}</span><br><strong style="font-size:16px;color:${ink};">${value}</strong></td>
`
}

function serviceRow(service: WordedService): Html {
  const { name, remark, availability, failures, failing, hasFailed, times, timesRemark } = service
  const ink = hasFailed ? colour.bad : failures === null ? colour.faint : colour.good
  const small = `margin:2px 0 0;font-size:12px;color:${colour.faint};`
  const aside = remark === null ? html`` : html` <span style="font-size:12px;color:${colour.faint};">(${remark})</span>`
  const lasted = hasFailed ? html`<br><span style="font-size:12px;color:${colour.faint};">${failing}</span>` : html``
  const told = times.map(({ from, to, lasted: time }) => html`<p style="${small}">${from} – ${to} (${time})</p>`)
  const end = timesRemark === null ? html`` : html`<p style="${small}">${timesRemark}</p>`
  return html`<tr>
<td style="${cell}word-break:break-word;">${name}${aside}${told}${end}</td>
<td align="right" style="${cell}white-space:nowrap;color:${ink};font-weight:bold;">${availability}</td>
<td align="right" style="${cell}white-space:nowrap;">${failures ?? '–'}${lasted}</td>
</tr>
`
}
