import { channelWords } from '../channels/index.ts'
import { policyOf, shellText } from '../status-pages/shell.ts'
import { accountabilityText as say } from '../wording/accountability.ts'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { formatMoment } from '../wording/moments.ts'
import { formatNumber, formatPercent } from '../wording/numbers.ts'
import type { ChannelFigures, Figures, Lateness, StationFigures, Window } from './figures.ts'
import type { Shown } from './kept-figures.ts'

export const accountabilityPolicy = policyOf(null)

const names = { '24h': 'day', '7d': 'week' } as const satisfies Record<Window, string>

/** The document of `/accountability`; the figures of several accounts are never told apart. */
export function accountabilityPage({ at, figures }: Shown, isStale: boolean, language: Language): string {
  const time = formatMoment(at, 'UTC')
  const { lateness } = figures['24h']
  const content = html`<header>
<h1>${say('title', language)}</h1>
<p>${say('about', language)}</p>
</header>
${isStale ? html`<p class="stale" role="status">${say('stale', language, { time })}</p>` : html`<p class="dim">${say('as_of', language, { time })}</p>`}
<main>
<h2>${say('rounds', language)}</h2>
<p class="dim">${say('rounds_about', language)}</p>
${facts([...newest(lateness, language), ...counts('missed_rounds', figures, language)])}
<h2>${say('stations', language)} · ${say('week', language)}</h2>
${stations(figures['7d'].stations, language)}
<h2>${say('verdicts', language)}</h2>
${facts([...counts('failures', figures, language), ...counts('false_alarms_corrected', figures, language)])}
<h2>${say('deliveries', language)} · ${say('week', language)}</h2>
${deliveries(figures, language)}
</main>
<footer><a href="accountability.json">${say('figures', language)}</a></footer>`
  return shell(language, content)
}

/** The document for visitors when nothing can be counted and nothing was. */
export function unavailablePage(language: Language): string {
  return shell(
    language,
    html`<main>
<h1>${say('title', language)}</h1>
<p>${say('unavailable', language)}</p>
</main>`,
  )
}

function shell(language: Language, content: Html): string {
  const title = say('title', language)
  return shellText({
    ...{ language, title, description: say('about', language), accent: null, isIndexed: true, head: html`` },
    content,
  })
}

type Fact = readonly [name: string, value: string]

function facts(all: readonly Fact[]): Html {
  const rows = all.map(
    ([name, value]) => html`<li><div class="top"><span>${name}</span><strong>${value}</strong></div></li>
`,
  )
  return html`<ul class="list more">
${rows}</ul>`
}

function time(milliseconds: number | null, language: Language): string {
  if (milliseconds === null) return say('none', language)
  if (milliseconds < 1000) return `${formatNumber(milliseconds, language)} ms`
  return `${formatNumber(Math.round(milliseconds / 100) / 10, language)} s`
}

function newest(lateness: Lateness, language: Language): readonly Fact[] {
  return [
    [say('newest_rounds', language), formatNumber(lateness.rounds, language)],
    [say('unjudged_rounds', language), formatNumber(lateness.unjudged_rounds, language)],
    [say('half', language), time(lateness.p50, language)],
    [say('most', language), time(lateness.p95, language)],
    [say('latest', language), time(lateness.maximum, language)],
  ]
}

const counted = {
  missed_rounds: 'missed_rounds',
  failures: 'failures',
  false_alarms_corrected: 'corrected',
} as const

function counts(name: keyof typeof counted, figures: Shown['figures'], language: Language): readonly Fact[] {
  const label = say(counted[name], language)
  return (['24h', '7d'] as const).map((window) => [
    `${label} · ${say(names[window], language)}`,
    formatNumber(figures[window][name], language),
  ])
}

function stations(all: readonly StationFigures[], language: Language): Html {
  if (all.length === 0) return html`<p>${say('no_stations', language)}</p>`
  const rows = all.map(({ name, rounds, agreement, checks, unknown_checks: unknown }) => {
    const agreed =
      agreement === null
        ? say('no_agreement', language)
        : say('agreement', language, {
            share: formatPercent(100 * agreement, language),
            rounds: formatNumber(rounds, language),
          })
    const tried = say('unknown_checks', language, {
      unknown: formatNumber(unknown, language),
      checks: formatNumber(checks, language),
    })
    return html`<li><h3>${name}</h3><p class="dim">${agreed}; ${tried}</p></li>
`
  })
  return html`<ul class="list">
${rows}</ul>`
}

function deliveries(figures: Shown['figures'], language: Language): Html {
  const channels = new Map(channelWords(language).map(({ id, name }) => [id, name]))
  const told = figures['7d'].deliveries.filter(({ sent, failed }) => sent + failed > 0)
  if (told.length === 0) return html`<p>${say('no_deliveries', language)}</p>`
  const rows = told.map((one) => {
    const name = channels.get(one.notification_channel_id) ?? one.notification_channel_id
    return html`<li><h3>${name}</h3><p class="dim">${delivered(one, language)}</p></li>
`
  })
  return html`<ul class="list">
${rows}</ul>`
}

function delivered({ sent, failed, latency_p50, latency_p95 }: ChannelFigures, language: Language): string {
  const all = say('delivered', language, {
    sent: formatNumber(sent, language),
    all: formatNumber(sent + failed, language),
  })
  if (sent === 0) return all
  return `${all}; ${say('latency', language, { half: time(latency_p50, language), most: time(latency_p95, language) })}`
}

/** The same figures for programs. Stations have their public names; nothing is told of accounts. */
export function accountabilityData({ at, figures }: Shown): string {
  const told = (one: Figures) => ({
    ...one,
    deliveries: one.deliveries.map(({ pending: _waiting, other: _leftOut, ...rest }) => rest),
  })
  return `${JSON.stringify({ time: new Date(at).toISOString(), '24h': told(figures['24h']), '7d': told(figures['7d']) })}\n`
}
