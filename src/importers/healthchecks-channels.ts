import type { ImportedAddress } from './address-check.ts'
import type { Draft, Item } from './draft.ts'
import { ownOf, type Row, textsOf } from './row.ts'
import { plainAddresses, vendorAddress } from './vendors.ts'

/** The integrations of Healthchecks as addresses of contacts. */

/** A value of a channel is a text, or JSON with more. */
interface Value {
  readonly written: string
  readonly row: Row
}

/** The addresses, or the reason why there are none. */
type Found = ImportedAddress | readonly ImportedAddress[] | string
type Reader = (draft: Draft, item: Item, value: Value) => Found

function urlOf(value: Row, written: string): string | null {
  const vendor = value.row('webhook').text('url') ?? value.row('incoming_webhook').text('url')
  return vendor ?? value.text('url') ?? (written.startsWith('{') ? null : written)
}

function byUrl(channel: string): Reader {
  return (draft, { name }, { written, row }) =>
    vendorAddress(draft, name, channel, { secret: { url: urlOf(row, written) } })
}

const onlyEnds = 'It is told of the ends of failures alone, which no contact is.'

/** An address that may hear of failures alone, or of their ends alone. */
function plain(channel: string): Reader {
  return (_draft, item, { written, row }) => {
    const [down, up] = [row.flag('down', true), row.flag('up', true)]
    if (!down) return up ? onlyEnds : 'It is told of nothing.'
    if (!up) item.change('It was told of failures alone; here it hears of their ends too.')
    return plainAddresses(channel, row.text('value') ?? written)
  }
}

/** @param switchedOff its number for telling nothing */
function priorityOf(item: Item, number: number | null, end: number | null, switchedOff: number): number | null {
  if (end === switchedOff && number !== end)
    item.change('It was told of failures alone; here it hears of their ends too.')
  return number
}

const ntfyPriorities = ['', 'min', 'low', 'default', 'high', 'max']
const gotifyPriorities: Readonly<Record<number, string>> = { 2: 'low', 5: 'normal', 9: 'high' }
const pushoverPriorities = ['lowest', 'low', 'normal', 'high', 'emergency']

function headersOf(row: Row): string {
  return textsOf(row.row('headers_down'))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

const webhook: Reader = (draft, item, { row }) => {
  const url = row.text('url_down')
  if (url === null) return onlyEnds
  item.change('The request of a failure is carried, for every event, with the body of Latarnik’s webhook.')
  if (/\$[A-Z]/.test(url)) item.change('Words with $ in its address are not replaced.')
  const [headers, method] = [headersOf(row), row.text('method_down')]
  return vendorAddress(draft, item.name, 'webhook', {
    plain: { url, method: method === 'POST' ? null : method },
    ...(headers === '' ? {} : { secret: { headers } }),
  })
}

const telegram: Reader = (draft, item, { row }) => {
  item.change('It needs a bot of your own at Telegram: set the variable of its token.')
  const plain = { chat_id: row.text('id'), thread_id: row.number('thread_id') }
  return vendorAddress(draft, item.name, 'telegram', { plain, secret: { bot_token: null } })
}

const pushover: Reader = (draft, item, { written }) => {
  const [user = '', ...priorities] = written.split('|')
  const [down = 0, up = 0] = priorities.map(Number)
  if (down === -3) return up === -3 ? 'It is told of nothing.' : onlyEnds
  item.change('It needs an application of your own at Pushover: set the variable of its token.')
  const priority = pushoverPriorities[(priorityOf(item, down, up, -3) ?? 0) + 2] ?? null
  return vendorAddress(draft, item.name, 'pushover', { plain: { user, priority }, secret: { token: null } })
}

const ntfy: Reader = (draft, item, { row }) => {
  const down = priorityOf(item, row.number('priority'), row.number('priority_up'), 0)
  if (down === 0) return onlyEnds
  return vendorAddress(draft, item.name, 'ntfy', {
    plain: { server: row.text('url'), topic: row.text('topic'), priority: ntfyPriorities[down ?? 0] || null },
    ...(row.has('token') ? { secret: { token: row.text('token') } } : {}),
  })
}

const gotify: Reader = (draft, item, { row }) => {
  const down = priorityOf(item, row.number('priority'), row.number('priority_up'), 0)
  if (down === 0) return onlyEnds
  return vendorAddress(draft, item.name, 'gotify', {
    plain: { server: row.text('url'), priority: gotifyPriorities[down ?? 5] ?? null },
    secret: { token: row.text('token') },
  })
}

const zulip: Reader = (draft, item, { row }) => {
  if (row.text('mtype') === 'private') return 'It writes to a person; Latarnik writes to channels of Zulip.'
  if (row.has('topic')) item.change('Its topic is left out: each service has its own.')
  return vendorAddress(draft, item.name, 'zulip', {
    plain: { site: row.text('site'), email: row.text('bot_email'), stream: row.text('to') },
    secret: { api_key: row.text('api_key') },
  })
}

const splunk: Reader = (draft, { name }, { written }) => {
  const [, key = null, route = null] =
    /^https:\/\/alert\.victorops\.com\/integrations\/generic\/\d+\/alert\/([^/?#]+)\/([^/?#]+)\/?$/.exec(written) ?? []
  if (route === null) return 'Its address is none of Splunk On-Call’s REST endpoint.'
  return vendorAddress(draft, name, 'splunk_on_call', { plain: { route }, secret: { key } })
}

const readers: Readonly<Record<string, Reader>> = {
  ...{ slack: byUrl('slack'), discord: byUrl('discord'), msteams: byUrl('teams'), msteamsw: byUrl('teams') },
  ...{ mattermost: byUrl('mattermost'), googlechat: byUrl('google_chat'), rocketchat: byUrl('rocket_chat') },
  ...{ email: plain('email'), sms: plain('sms'), webhook, telegram, po: pushover, ntfy, gotify, zulip },
  victorops: splunk,
  pd: (draft, { name }, { written, row }) =>
    vendorAddress(draft, name, 'pagerduty', { secret: { routing_key: row.text('service_key') ?? written } }),
  opsgenie: (draft, { name }, { written, row }) =>
    vendorAddress(draft, name, 'opsgenie', {
      plain: { region: row.text('region') },
      secret: { api_key: row.text('key') ?? written },
    }),
  apprise: () =>
    'Healthchecks runs Apprise itself. Latarnik tells an Apprise API of your own: add its address by hand.',
  call: () => 'The calls come from its own account of Twilio: add an address with yours by hand.',
  matrix: () => 'The export does not say on which server, nor with which token: add the address by hand.',
  signal: () => 'The export does not say from which number it writes: add an address with your Signal server by hand.',
}

export function healthchecksAddresses(draft: Draft, item: Item, channel: Row): readonly ImportedAddress[] | string {
  const kind = channel.text('kind') ?? ''
  const written = channel.text('value')
  if (written === null) return 'The API does not tell where it goes; a dump by `manage.py dumpdata` does.'
  const reader = ownOf(readers, kind)
  if (reader === undefined) return `Latarnik has no such channel: ${kind}.`
  const found = reader(draft, item, { written, row: channel.row('value') })
  return typeof found === 'string' ? found : [found].flat()
}
