import { type Html, html } from '../wording/html.ts'
import { formatDuration } from '../wording/moments.ts'
import { catalogues, pageText } from '../wording/texts.ts'
import type { Service, StatusChange } from './answers.ts'
import { footer, moment, type Reading, type Row, rows } from './parts.ts'

const summaries = ['ok', 'failure', 'paused', 'suspended', 'unknown'] as const

/** How a service is, and what it went through last. */
export function servicePage(service: Service, changes: readonly StatusChange[], reading: Reading): Html {
  return html`
${statusOf(service, reading)}
${rows(identityOf(service, reading))}
${historyOf(service, changes, reading)}
${footer(reading)}`
}

function statusOf({ status }: Service, { language }: Reading): Html | null {
  const summary = summaries.find((known) => known === status?.summary) ?? 'unknown'
  return html`<p class="state ${summary}">${pageText(`summary_${summary}`, language)}</p>`
}

function identityOf(service: Service, reading: Reading): Row[] {
  const { status, group, type } = service
  const { labels } = catalogues[reading.language].notices
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, reading.language)
  const at = (label: string, written: string | null | undefined, analysis: string | null | undefined): Row[] =>
    typeof written === 'string' && typeof analysis === 'string'
      ? [{ label, value: html`<a href="${analysisAddress(service.id, analysis)}">${moment(written, reading)}</a>` }]
      : []
  return [
    { label: text('address'), value: `${type?.address_prefix ?? ''}${service.address}` },
    ...(type === null ? [] : [{ label: labels.type, value: type.name }]),
    ...(group === null ? [] : [{ label: labels.group, value: group.name }]),
    ...at(text('last_analysis'), status?.last_analysis_time, status?.last_analysis_id),
    ...at(text('last_failure'), status?.last_failure_analysis_time, status?.last_failure_analysis_id),
  ]
}

export function serviceAddress(serviceId: number): string {
  return `/services/${serviceId}`
}

export function analysisAddress(serviceId: number, analysisId: string): string {
  return `${serviceAddress(serviceId)}/analyses/${analysisId}`
}

function historyOf({ id }: Service, changes: readonly StatusChange[], reading: Reading): Html {
  const { statuses, stillLasts } = catalogues[reading.language].notices
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, reading.language)
  if (changes.length === 0) return html`<h2>${text('history')}</h2><p>${text('no_history')}</p>`
  const cells = changes.map((change) => {
    const since = moment(change.start_time, reading)
    const shown =
      change.first_analysis_id === null
        ? since
        : html`<a href="${analysisAddress(id, change.first_analysis_id)}">${since}</a>`
    const length = change.end_time === null ? stillLasts : formatDuration(change.duration)
    return html`<tr><td>${shown}</td><td class="${change.status}">${statuses[change.status]}</td><td>${length}</td></tr>`
  })
  return html`<h2>${text('history')}</h2>
<div class="scrolling" tabindex="0" role="region" aria-label="${text('history')}"><table>
<thead><tr><th scope="col">${text('since')}</th><th scope="col">${text('state')}</th><th scope="col">${text('lasted')}</th></tr></thead>
<tbody>${cells}</tbody></table></div>`
}
