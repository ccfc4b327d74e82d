import { type Html, html } from '../wording/html.ts'
import { catalogues, pageText } from '../wording/texts.ts'
import type { Analysis, Artifact, Check, Service } from './answers.ts'
import { footer, moment, type Reading, rows } from './parts.ts'
import { analysisAddress, serviceAddress } from './service-page.ts'

export interface ShownCheck {
  readonly check: Check
  readonly artifacts: readonly Artifact[]
}

const artifactKinds = ['content', 'har', 'screenshot'] as const

/** What each station saw at one moment, why a check failed, and what was kept of it. */
export function analysisPage(
  service: Service,
  analysis: Analysis,
  checks: readonly ShownCheck[],
  reading: Reading,
): Html {
  const { labels } = catalogues[reading.language].notices
  const text = (key: Parameters<typeof pageText>[0], facts = {}) => pageText(key, reading.language, facts)
  const counts = {
    ok: analysis.ok_checks_count,
    errors: analysis.error_checks_count,
    unknown: analysis.unknown_checks_count,
  }
  const link = html`<a href="${serviceAddress(service.id)}">${service.name}</a>`
  return html`
<p class="state ${analysis.failure ? 'failure' : 'ok'}">${text(analysis.failure ? 'summary_failure' : 'summary_ok')}</p>
${rows([
  { label: labels.service, value: link },
  { label: text('address'), value: `${service.type?.address_prefix ?? ''}${service.address}` },
  { label: text('moment'), value: moment(analysis.time, reading) },
  { label: text('stations'), value: text('counts_of_checks', counts) },
])}
<h2>${labels.checks}</h2>
${checks.map((shown) => checkPart(service.id, analysis.analysis_id, shown, reading))}
${footer(reading)}`
}

function checkPart(serviceId: number, analysisId: string, { check, artifacts }: ShownCheck, reading: Reading): Html {
  const { results, labels } = catalogues[reading.language].notices
  const time = check.response_time === null ? '' : `, ${check.response_time} ms`
  const place = check.sensor?.city ? ` (${check.sensor.city})` : ''
  const error = check.error_type
  return html`<section id="sensor-${check.sensor_id}">
<h3>${check.sensor?.name ?? String(check.sensor_id)}${place}</h3>
<p class="${check.result}">${results[check.result]}${time}</p>
${
  error === null
    ? null
    : rows([
        { label: labels.reason, value: error.name },
        ...(check.error_message === null
          ? []
          : [{ label: pageText('what_was_said', reading.language), value: check.error_message }]),
        { label: labels.meaning, value: error.diagnosis },
      ])
}
${keptOf(`${analysisAddress(serviceId, analysisId)}/checks/${check.sensor_id}`, artifacts, reading)}
</section>`
}

function keptOf(address: string, artifacts: readonly Artifact[], { language }: Reading): Html | null {
  const kinds = artifactKinds.filter((kind) => artifacts.some(({ id }) => id === kind))
  if (kinds.length === 0) return null
  const { notices, dictionaries } = catalogues[language]
  const links = kinds.map(
    (kind) => html`<li><a href="${address}/${kind}">${dictionaries.artifact_types[kind].name}</a></li>`,
  )
  const picture = html`<img src="${address}/screenshot" alt="${notices.labels.screenshot}">`
  return html`<h4>${notices.labels.artifacts}</h4><ul>${links}</ul>${kinds.includes('screenshot') ? picture : null}`
}
