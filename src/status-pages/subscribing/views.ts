import type { SubscriberRow } from '../../outbox/subscribers.ts'
import { type Html, html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { subscriptionText } from '../../wording/subscriptions.ts'
import type { ShownComponent, Snapshot } from '../snapshot.ts'

/** The answer for a visitor of these pages. */
export interface View {
  readonly status: number
  readonly title: string
  readonly content: Html
  /** It needs our script; no other page does. */
  readonly isScripted?: true
  /** Seconds until the visitor may ask again. */
  readonly retryAfter?: number
}

/** The page that a visitor looks at. */
export interface VisitedPage {
  readonly snapshot: Snapshot
  readonly language: Language
  /** The path of the page for its visitor, without a slash at the end. */
  readonly base: string
}

/** The values that a form shows. */
export interface Filled {
  readonly kind: string
  readonly address: string
  /** Null: everything. */
  readonly chosen: readonly number[] | null
}

export const unfilled: Filled = { kind: 'email', address: '', chosen: null }

const kindsOfForm = ['email', 'webhook', 'slack', 'teams', 'discord'] as const

export function heading(visited: VisitedPage, title: string): Html {
  const { snapshot } = visited
  return html`<header>
<p class="dim"><a href="${visited.base}/">${snapshot.page.title}</a></p>
<h1>${title}</h1>
</header>
`
}

function backLink({ base, language }: VisitedPage): Html {
  return html`<p class="more"><a href="${base}/">${subscriptionText('back', language)}</a></p>
`
}

function problemHtml(problem: string | null): Html | null {
  return problem === null ? null : html`<p class="problem" role="alert" id="problem">${problem}</p>`
}

/** The field of the address; with its problem, if it has one. */
function addressHtml({ address }: Filled, isWrong: boolean): Html {
  const state = isWrong
    ? html` aria-invalid="true" aria-describedby="problem hints" autofocus`
    : html` aria-describedby="hints"`
  return html`<input id="address" name="address" value="${address}" maxlength="2048" required autocomplete="email" autocapitalize="none" spellcheck="false"${state}>`
}

export function formView(visited: VisitedPage, filled: Filled, problem: string | null, isAddressWrong = false): View {
  const { base, language, snapshot } = visited
  const title = subscriptionText('subscribe_title', language)
  const options = kindsOfForm.map(
    (kind) =>
      html`<option value="${kind}"${kind === filled.kind ? html` selected` : null}>${subscriptionText(`way_${kind}`, language)}</option>`,
  )
  const hints = kindsOfForm.map(
    (kind) =>
      html`<li>${subscriptionText(`way_${kind}`, language)}: ${subscriptionText(`hint_${kind}`, language)}</li>`,
  )
  return {
    status: problem === null ? 200 : 422,
    title,
    content: html`${heading(visited, title)}<main>
<p>${subscriptionText('subscribe_intro', language)}</p>
${problemHtml(problem)}
<form method="post" action="${base}/subscribe">
<label for="kind">${subscriptionText('way', language)}</label>
<select id="kind" name="kind">${options}</select>
<label for="address">${subscriptionText('address', language)}</label>
${addressHtml(filled, isAddressWrong)}
<ul class="dim hints" id="hints">${hints}</ul>
${choiceHtml(snapshot, language, filled.chosen)}
<button type="submit">${subscriptionText('send', language)}</button>
</form>
<p class="dim more">${subscriptionText('privacy', language)}</p>
<p class="more">${subscriptionText('other_ways', language)} <a href="${base}/subscribe/browser">${subscriptionText('browser_link', language)}</a>, <a href="${base}/history.atom">Atom</a>, <a href="${base}/history.rss">RSS</a></p>
${backLink(visited)}</main>`,
  }
}

/** Everything, or some of the components that the page shows. */
export function choiceHtml({ components }: Snapshot, language: Language, chosen: readonly number[] | null): Html {
  const radio = (value: 'all' | 'some', text: string, isChecked: boolean) =>
    html`<label class="choice"><input type="radio" name="scope" value="${value}"${isChecked ? html` checked` : null}> ${text}</label>
`
  const box = ({ id, name, parentId }: ShownComponent) =>
    html`<li${parentId === null ? null : html` class="part"`}><label class="choice"><input type="checkbox" name="component" value="${id}"${chosen?.includes(id) === true ? html` checked` : null}> ${name}</label></li>
`
  return html`<fieldset>
<legend>${subscriptionText('choice', language)}</legend>
${radio('all', subscriptionText('everything', language), chosen === null)}${
  components.length === 0
    ? null
    : html`${radio('some', subscriptionText('some', language), chosen !== null)}<ul class="boxes">
${components.map(box)}</ul>`
}
</fieldset>`
}

export function askedView(
  visited: VisitedPage,
  webhook: { readonly secret: string; readonly token: string } | null,
): View {
  const { language, base } = visited
  const title = subscriptionText('asked_title', language)
  const own =
    webhook === null
      ? html`<p>${subscriptionText('asked', language)}</p>`
      : html`<p>${subscriptionText('webhook_asked', language)}</p>
<p>${subscriptionText('webhook_secret', language)}</p>
<p><code>${webhook.secret}</code></p>
<p class="more"><a href="${base}/subscribe/manage?token=${webhook.token}">${subscriptionText('manage_title', language)}</a></p>`
  return { status: 200, title, content: html`${heading(visited, title)}<main>${own}${backLink(visited)}</main>` }
}

interface Linked {
  readonly row: SubscriberRow
  readonly token: string
}

function tokenForm(action: string, token: string, button: string, look: 'main' | 'quiet' = 'main'): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<button type="submit"${look === 'quiet' ? html` class="quiet"` : null}>${button}</button>
</form>
`
}

export function confirmView(visited: VisitedPage, { row, token }: Linked): View {
  const { language, base, snapshot } = visited
  const title = subscriptionText('confirm_title', language)
  const facts = { page: snapshot.page.title, address: row.address }
  const asked = html`<p>${subscriptionText('confirm_asked', language, facts)}</p>`
  const form = tokenForm(`${base}/subscribe/confirm`, token, subscriptionText('confirm', language))
  return { status: 200, title, content: html`${heading(visited, title)}<main>${asked}${form}</main>` }
}

export function confirmedView(visited: VisitedPage, row: SubscriberRow, manageToken: string): View {
  const { language, base, snapshot } = visited
  const title = subscriptionText('confirmed_title', language)
  const told = subscriptionText('confirmed', language, { page: snapshot.page.title, address: row.address })
  return {
    status: 200,
    title,
    content: html`${heading(visited, title)}<main>
<p role="status">${told}</p>
<p class="more"><a href="${base}/subscribe/manage?token=${manageToken}">${subscriptionText('manage_title', language)}</a></p>
${backLink(visited)}</main>`,
  }
}

/** @param mayChoose the visitor may see the page, so the names of its components are no news */
export function manageView(
  visited: VisitedPage,
  { row, token, mayChoose }: Linked & { readonly mayChoose: boolean },
  told: { readonly isSaved?: boolean; readonly problem?: string } = {},
): View {
  const { language, base, snapshot } = visited
  const title = subscriptionText('manage_title', language)
  const way = subscriptionText(`way_${row.kind}`, language)
  // One state for all that do not confirm: strangers learn nothing of what the server can reach.
  const state = row.confirmed_at === null ? 'not_confirmed' : row.disabled_reason !== null ? 'disabled' : null
  const chosen = row.component_ids.length === 0 ? null : row.component_ids
  const { isSaved = false, problem = null } = told
  return {
    status: problem === null ? 200 : 422,
    title,
    content: html`${heading(visited, title)}<main>
<p>${subscriptionText('told_at', language, { way, address: row.address })}</p>
${state === null ? null : html`<p class="problem">${subscriptionText(state, language)}</p>`}
${isSaved ? html`<p role="status">${subscriptionText('saved', language)}</p>` : null}${problemHtml(problem)}
${
  mayChoose
    ? html`<form method="post" action="${base}/subscribe/manage">
<input type="hidden" name="token" value="${token}">
${choiceHtml(snapshot, language, chosen)}
<button type="submit">${subscriptionText('save', language)}</button>
</form>
`
    : null
}${tokenForm(`${base}/subscribe/leave`, token, subscriptionText('leave', language), mayChoose ? 'quiet' : 'main')}
<p class="dim more">${subscriptionText('privacy', language)}</p>
${backLink(visited)}</main>`,
  }
}

export function leaveView(visited: VisitedPage, { row, token }: Linked): View {
  const { language, base } = visited
  const title = subscriptionText('leave_title', language)
  const asked = html`<p>${subscriptionText('leave_asked', language, { address: row.address })}</p>`
  const form = tokenForm(`${base}/subscribe/leave`, token, subscriptionText('leave', language))
  return { status: 200, title, content: html`${heading(visited, title)}<main>${asked}${form}</main>` }
}

export function leftView(visited: VisitedPage): View {
  const title = subscriptionText('left_title', visited.language)
  const text = html`<p role="status">${subscriptionText('left', visited.language)}</p>`
  return { status: 200, title, content: html`${heading(visited, title)}<main>${text}${backLink(visited)}</main>` }
}

/** The same for every link that leads nowhere: it says nothing of the page. */
export function brokenView({ language }: VisitedPage): View {
  const title = subscriptionText('broken_title', language)
  return {
    status: 404,
    title,
    content: html`<main>
<h1>${title}</h1>
<p>${subscriptionText('broken', language)}</p>
</main>`,
  }
}
