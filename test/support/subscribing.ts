import { mailGateway } from '../../src/channels/email/email.ts'
import { type Notifier, startNotifier } from '../../src/notifications/start.ts'
import { createDialler } from '../../src/outgoing/dial.ts'
import type { Allowed } from '../../src/outgoing/screen.ts'
import { type FurnishedWorld, furnishedWorld } from './furnished.ts'
import { type Mailbox, startMailbox } from './mailbox.ts'
import { silentLog } from './monitoring.ts'
import { idOf } from './replies.ts'

/** Where the messages say that the installation is. */
export const installation = 'https://watch.example.com'

export interface Visited {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** A status page of Alice, its visitors, and a mail server. */
export interface SubscribingWorld extends FurnishedWorld {
  readonly mailbox: Mailbox
  /** A page with this slug. */
  page(slug: string, more?: object): Promise<number>
  component(pageId: number, name: string, more?: object): Promise<number>
  /** A published incident, or what `more` makes of it. */
  incident(pageId: number, more?: object): Promise<number>
  update(incidentId: number, status: string, body: string): Promise<void>
  /** A visitor opens an address below the page. */
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Visited>
  /** A visitor sends a form. */
  send(path: string, form: string | Readonly<Record<string, string>>, from?: string): Promise<Visited>
  /**
   * Sends everything that is due. `allow`: the private addresses of subscribers that may be dialled; default: all.
   * Null: those that the program allows, where the operator allows the users every private address.
   */
  deliver(allow?: Allowed | null): Promise<void>
  /** The links of the last mail to this address, by the end of their path. */
  linksTo(address: string): Readonly<Record<string, string>>
  /** Subscribes and confirms by mail. @returns the path of the link to change and leave */
  subscribe(slug: string, address: string, components?: readonly number[]): Promise<string>
}

/** The path of an absolute link of a message. */
export function pathOf(link: string): string {
  const { pathname, search } = new URL(link)
  return `${pathname}${search}`
}

interface Delivering {
  /** Default: no mail is sent. */
  readonly smtpUrl?: string
  /** As for `SubscribingWorld.deliver`. */
  readonly allow?: Allowed | null
  readonly publicUrl?: string
}

/** Sends everything that is due. */
export async function deliverAll(
  { database, clock }: Pick<FurnishedWorld, 'database' | 'clock'>,
  { smtpUrl, allow = 'all', publicUrl = installation }: Delivering,
): Promise<void> {
  const mail = { smtpUrl, from: 'Latarnik <latarnik@example.com>', outboxDirectory: '/dev/null' }
  const notifier: Notifier = await startNotifier({
    ...{ database, clock, log: silentLog, mail, gateways: [mailGateway(mail)], publicUrl },
    diagnose: () => null,
    integrations: { dialler: createDialler({ allow: 'all' }), vendorUrls: new Map() },
    ...(allow === null ? {} : { strangersDialler: createDialler({ allow }) }),
  })
  await notifier.drain()
  await notifier.stop()
}

export async function subscribingWorld(): Promise<SubscribingWorld> {
  const world = await furnishedWorld()
  const mailbox = await startMailbox()
  const { server } = world
  let visitors = 0

  const deliver = (allow: Allowed | null = 'all') => deliverAll(world, { smtpUrl: mailbox.url, allow })
  const open: SubscribingWorld['open'] = async (path, headers = {}) => {
    const { statusCode, payload, headers: given } = await server.inject({ method: 'GET', url: path, headers })
    return { status: statusCode, text: payload, headers: given }
  }
  const send: SubscribingWorld['send'] = async (path, form, from) => {
    visitors += 1
    const reply = await server.inject({
      method: 'POST',
      url: path,
      remoteAddress: from ?? `198.51.100.${visitors % 250}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    })
    return { status: reply.statusCode, text: reply.payload, headers: reply.headers }
  }
  const linksTo: SubscribingWorld['linksTo'] = (address) => {
    const mail = mailbox.mails.findLast(({ to }) => to.includes(address))
    const found = (mail?.parsed.text ?? '').match(/https:\/\/watch\.example\.com\S*token=[\w.-]+/g) ?? []
    return Object.fromEntries(found.map((link) => [new URL(link).pathname.split('/').at(-1) ?? '', link]))
  }
  const call = (method: 'POST' | 'PUT', path: string, body: object) => world.call('alice', method, path, body)
  return {
    ...world,
    mailbox,
    ...{ deliver, open, send, linksTo },
    page: async (slug, more = {}) =>
      idOf(
        await call('POST', '/status_pages', {
          ...{ slug, title: 'Shop status', language_id: 'en', time_zone_id: 'europe_warsaw', ...more },
        }),
      ),
    component: async (pageId, name, more = {}) =>
      idOf(
        await call('POST', '/status_page_components', { status_page_id: pageId, name, status: 'operational', ...more }),
      ),
    incident: async (pageId, more = {}) =>
      idOf(
        await call('POST', '/status_page_incidents', {
          ...{ status_page_id: pageId, name: 'The shop is slow', is_published: true, ...more },
        }),
      ),
    async update(incidentId, status, body) {
      await call('POST', `/status_page_incidents/${incidentId}/updates`, { status, body })
    },
    async subscribe(slug, address, components) {
      const scope = components === undefined ? 'all' : 'some'
      const form = new URLSearchParams({ kind: 'email', address, scope })
      for (const id of components ?? []) form.append('component', String(id))
      const asked = await send(`/status/${slug}/subscribe`, form.toString())
      if (asked.status !== 200) throw new Error(asked.text)
      await deliver()
      const confirmed = await send(pathOf(linksTo(address)['confirm'] ?? ''), '')
      return /href="([^"]*subscribe\/manage[^"]*)"/.exec(confirmed.text)?.[1] ?? ''
    },
    async drop() {
      await mailbox.stop()
      await world.drop()
    },
  }
}
