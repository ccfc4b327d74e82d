import { timeZoneName } from '../domain/time-zones.ts'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { formatLocal } from '../wording/moments.ts'
import { pageText } from '../wording/texts.ts'
import type { Account } from './answers.ts'

/** What every page needs to word what it shows. */
export interface Reading {
  readonly language: Language
  /** IANA name. */
  readonly zone: string
  /** Of the form that logs out. */
  readonly formToken: string
}

export function zoneOf({ time_zone_id }: Account): string {
  return timeZoneName(time_zone_id) ?? 'UTC'
}

/** A moment of the API, as the reader's clock shows it. */
export function moment(written: string, { zone }: Reading): Html {
  return html`<time datetime="${written}">${formatLocal(Date.parse(written), zone)}</time>`
}

export interface Row {
  readonly label: string
  readonly value: Html | string
}

export function rows(list: readonly Row[]): Html {
  return html`<dl>${list.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`
}

/** Below every page: whose clock it shows, and the way out. */
export function footer(reading: Reading): Html {
  const text = (key: Parameters<typeof pageText>[0], facts = {}) => pageText(key, reading.language, facts)
  return html`
<p class="hint">${text('times_in_zone', { zone: reading.zone })}</p>
<form method="post" action="/logout"><input type="hidden" name="form_token" value="${reading.formToken}">
<div class="actions"><button type="submit" class="quiet">${text('log_out')}</button></div></form>`
}
