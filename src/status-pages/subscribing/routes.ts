import type { FastifyRequest } from 'fastify'
import { readForm } from '../../auth/pages/form.ts'
import { networkOf, withoutPort } from '../../domain/access/network.ts'
import { isSubscriberKind } from '../../domain/status-pages/subscriber.ts'
import { subscriptionText } from '../../wording/subscriptions.ts'
import { browserScript, browserView, workerScript } from './browser.ts'
import type { SubscribingOutcome, Subscriptions } from './subscriptions.ts'
import {
  askedView,
  brokenView,
  confirmedView,
  confirmView,
  type Filled,
  formView,
  leaveView,
  leftView,
  manageView,
  unfilled,
  type View,
  type VisitedPage,
} from './views.ts'

/** A visitor at one of these pages. */
export interface PageVisit extends VisitedPage {
  readonly request: FastifyRequest
  /** `subscribe`, or a path below it. */
  readonly name: string
  /** True if the visitor may see the page. */
  readonly isAdmitted: () => Promise<boolean>
}

/** A file for the page of the browser, or the answer to its script. */
export interface PlainFile {
  readonly status: number
  readonly type: 'text/javascript; charset=utf-8' | 'application/json'
  readonly text: string
}

/** Null: there is no such page for this visitor. */
export type SubscribingReply = View | PlainFile | null

type Handler = (subscriptions: Subscriptions, visit: PageVisit) => Promise<SubscribingReply>

/** Only for those who may see the page. */
function ifAdmitted(handler: Handler): Handler {
  return async (subscriptions, visit) => ((await visit.isAdmitted()) ? handler(subscriptions, visit) : null)
}

/** A link that leads nowhere says nothing to those who may not see the page, not even that there is one. */
const broken = ifAdmitted(async (_subscriptions, visit) => brokenView(visit))

const script = (text: string): PlainFile => ({ status: 200, type: 'text/javascript; charset=utf-8', text })

/** Opening a link changes nothing, because programs that read mail follow links. A button does. */
const shown: Readonly<Record<string, Handler>> = {
  subscribe: ifAdmitted(async (_subscriptions, visit) => formView(visit, unfilled, null)),
  'subscribe/browser': ifAdmitted(async (subscriptions, visit) => browserView(visit, await subscriptions.pushKey())),
  'subscribe/browser.js': ifAdmitted(async () => script(browserScript)),
  'subscribe/worker.js': ifAdmitted(async (_subscriptions, { language, snapshot }) =>
    script(workerScript(language, snapshot.page.title)),
  ),
  'subscribe/confirm': async (subscriptions, visit) => {
    const token = tokenOf(visit)
    const row = await subscriptions.find('confirm', token, visit.snapshot.page.id)
    const isOpen = row !== null && subscriptions.isConfirmLinkOpen(row)
    return isOpen ? confirmView(visit, { row, token }) : broken(subscriptions, visit)
  },
  'subscribe/manage': async (subscriptions, visit) => {
    const token = tokenOf(visit)
    const row = await subscriptions.find('manage', token, visit.snapshot.page.id)
    if (row === null) return broken(subscriptions, visit)
    return manageView(visit, { row, token, mayChoose: await visit.isAdmitted() })
  },
  'subscribe/leave': async (subscriptions, visit) => {
    const token = tokenOf(visit)
    const row = await subscriptions.find('manage', token, visit.snapshot.page.id)
    return row === null ? broken(subscriptions, visit) : leaveView(visit, { row, token })
  },
}

const posted: Readonly<Record<string, Handler>> = {
  subscribe: ifAdmitted(async (subscriptions, visit) => {
    const form = formOf(visit)
    const kind = form.get('kind') ?? ''
    const address = (form.get('address') ?? '').trim()
    const chosen = choiceOf(form, visit)
    const filled: Filled = { kind, address, chosen }
    const problem = (key: 'nothing_chosen' | 'wrong_address') =>
      formView(visit, filled, subscriptionText(key, visit.language), key === 'wrong_address')
    if (chosen?.length === 0) return problem('nothing_chosen')
    if (!isSubscriberKind(kind) || kind === 'web_push') return problem('wrong_address')
    const outcome = await subscriptions.ask({
      ...{ pageId: visit.snapshot.page.id, given: { kind, address }, componentIds: chosen ?? [] },
      network: networkOf(withoutPort(visit.request.ip)),
    })
    return outcome.is === 'asked' ? askedView(visit, outcome.webhook) : refusal(visit, filled, outcome)
  }),
  'subscribe/browser': ifAdmitted(askForBrowser),
  'subscribe/confirm': async (subscriptions, visit) => {
    const row = await subscriptions.find('confirm', tokenOf(visit), visit.snapshot.page.id)
    const token = row === null ? null : await subscriptions.confirm(row)
    return row === null || token === null ? broken(subscriptions, visit) : confirmedView(visit, row, token)
  },
  'subscribe/manage': ifAdmitted(async (subscriptions, visit) => {
    const token = tokenOf(visit)
    const row = await subscriptions.find('manage', token, visit.snapshot.page.id)
    if (row === null) return brokenView(visit)
    const chosen = choiceOf(formOf(visit), visit)
    const linked = { row, token, mayChoose: true }
    if (chosen?.length === 0) {
      return manageView(visit, linked, { problem: subscriptionText('nothing_chosen', visit.language) })
    }
    // A component that is hidden now stays chosen.
    const hidden = row.component_ids.filter((id) => !visit.snapshot.components.some((one) => one.id === id))
    const componentIds = chosen === null ? [] : [...chosen, ...hidden]
    await subscriptions.choose(row, componentIds)
    return manageView(visit, { ...linked, row: { ...row, component_ids: componentIds } }, { isSaved: true })
  }),
  /** Also the one click of RFC 8058, which brings the token in the address. */
  'subscribe/leave': async (subscriptions, visit) => {
    const row = await subscriptions.find('manage', tokenOf(visit), visit.snapshot.page.id)
    if (row !== null) await subscriptions.leave(row)
    return row === null ? broken(subscriptions, visit) : leftView(visit)
  },
}

/** True for `subscribe` and everything below it. */
export function isSubscribing(name: string): boolean {
  return name === 'subscribe' || name.startsWith('subscribe/')
}

export function replyTo(subscriptions: Subscriptions, visit: PageVisit): Promise<SubscribingReply> {
  const handlers = visit.request.method === 'POST' ? posted : shown
  const handler = Object.hasOwn(handlers, visit.name) ? handlers[visit.name] : undefined
  return handler === undefined ? Promise.resolve(null) : handler(subscriptions, visit)
}

function formOf({ request }: PageVisit): URLSearchParams {
  return readForm(request) ?? new URLSearchParams()
}

function tokenOf(visit: PageVisit): string {
  const { token } = visit.request.query as { readonly token?: unknown }
  return formOf(visit).get('token') ?? (typeof token === 'string' ? token : '')
}

/** Null: everything. Components that the page does not show are no choice. */
function choiceOf(form: URLSearchParams, { snapshot }: PageVisit): readonly number[] | null {
  if (form.get('scope') !== 'some') return null
  const wanted = new Set(form.getAll('component'))
  return snapshot.components.map(({ id }) => id).filter((id) => wanted.has(String(id)))
}

type Refused = Exclude<SubscribingOutcome, { is: 'asked' }>

function refusalText({ language }: PageVisit, outcome: Refused): string {
  const facts = outcome.is === 'too_many' ? { seconds: outcome.waitSeconds } : {}
  return subscriptionText(outcome.is, language, facts)
}

function refusal(visit: PageVisit, filled: Filled, outcome: Refused): View {
  const view = formView(visit, filled, refusalText(visit, outcome), outcome.is === 'wrong_address')
  return outcome.is === 'too_many' ? { ...view, status: 429, retryAfter: outcome.waitSeconds } : view
}

async function askForBrowser(subscriptions: Subscriptions, visit: PageVisit): Promise<PlainFile> {
  const form = formOf(visit)
  const chosen = choiceOf(form, visit)
  const json = (status: number, body: object): PlainFile => ({
    ...{ status, type: 'application/json', text: JSON.stringify(body) },
  })
  if (chosen?.length === 0) return json(422, { message: subscriptionText('nothing_chosen', visit.language) })
  const keys = { p256dh: form.get('p256dh') ?? '', auth: form.get('auth') ?? '' }
  const outcome = await subscriptions.ask({
    pageId: visit.snapshot.page.id,
    given: { kind: 'web_push', address: form.get('address') ?? '', keys },
    componentIds: chosen ?? [],
    network: networkOf(withoutPort(visit.request.ip)),
  })
  if (outcome.is === 'asked') return json(200, { message: '' })
  return json(outcome.is === 'too_many' ? 429 : 422, { message: refusalText(visit, outcome) })
}
