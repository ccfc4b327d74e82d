import type { ImportedAddress } from './address-check.ts'
import type { Draft, Item } from './draft.ts'
import { ownOf, type Row, textOf } from './row.ts'
import { plainAddresses, vendorAddress } from './vendors.ts'

/** The notifications of Uptime Kuma as addresses of contacts. */

type Reader = (draft: Draft, item: Item, config: Row) => ImportedAddress | readonly ImportedAddress[]

function byUrl(channel: string, member: string): Reader {
  return (draft, { name }, config) => vendorAddress(draft, name, channel, { secret: { url: config.text(member) } })
}

const ntfyPriorities = ['', 'min', 'low', 'default', 'high', 'max']
const pushoverPriorities = ['lowest', 'low', 'normal', 'high', 'emergency']

/** The webhook of a channel, or of a thread in it. */
function discordUrl(config: Row): string | null {
  const [url, thread] = [config.text('discordWebhookUrl'), config.text('threadId')]
  const isThread = config.text('discordChannelType') === 'postToThread' && thread !== null
  return url !== null && isThread ? `${url}${url.includes('?') ? '&' : '?'}thread_id=${thread}` : url
}

function opsgeniePriority(config: Row): string | null {
  const priority = config.number('opsgeniePriority')
  return priority === null ? null : `P${priority}`
}

const readers: Readonly<Record<string, Reader>> = {
  slack: byUrl('slack', 'slackwebhookURL'),
  discord: (draft, { name }, config) => vendorAddress(draft, name, 'discord', { secret: { url: discordUrl(config) } }),
  teams: byUrl('teams', 'webhookUrl'),
  mattermost: byUrl('mattermost', 'mattermostWebhookUrl'),
  'rocket.chat': byUrl('rocket_chat', 'rocketwebhookURL'),
  GoogleChat: byUrl('google_chat', 'googleChatWebhookURL'),
  smtp: (_draft, item, config) => {
    item.change('Latarnik mails through its own server, not through the one that stands there.')
    return ['smtpTo', 'smtpCC', 'smtpBCC'].flatMap((member) => plainAddresses('email', mailboxes(config.text(member))))
  },
  telegram: (draft, { name }, config) =>
    vendorAddress(draft, name, 'telegram', {
      plain: { chat_id: config.text('telegramChatID'), thread_id: config.number('telegramMessageThreadID') },
      secret: { bot_token: config.text('telegramBotToken') },
    }),
  PagerDuty: (draft, { name }, config) =>
    vendorAddress(draft, name, 'pagerduty', {
      plain: { region: pagerdutyRegion(config) },
      secret: { routing_key: config.text('pagerdutyIntegrationKey') },
    }),
  Opsgenie: (draft, { name }, config) =>
    vendorAddress(draft, name, 'opsgenie', {
      plain: { region: config.text('opsgenieRegion'), priority: opsgeniePriority(config) },
      secret: { api_key: config.text('opsgenieApiKey') },
    }),
  ntfy: (draft, item, config) => {
    const isByToken = config.has('ntfyaccesstoken')
    if (!isByToken && config.has('ntfyusername'))
      item.change('Its login by name and password is left out: make a token there.')
    return vendorAddress(draft, item.name, 'ntfy', {
      plain: {
        ...{ server: config.text('ntfyserverurl'), topic: config.text('ntfytopic') },
        priority: ntfyPriorities[config.number('ntfyPriority') ?? 0] || null,
      },
      ...(isByToken ? { secret: { token: config.text('ntfyaccesstoken') } } : {}),
    })
  },
  pushover: (draft, { name }, config) =>
    vendorAddress(draft, name, 'pushover', {
      plain: {
        user: config.text('pushoveruserkey'),
        priority: pushoverPriorities[(config.number('pushoverpriority') ?? 0) + 2] ?? null,
      },
      secret: { token: config.text('pushoverapptoken') },
    }),
  gotify: (draft, { name }, config) =>
    vendorAddress(draft, name, 'gotify', {
      plain: { server: config.text('gotifyserverurl') },
      secret: { token: config.text('gotifyapplicationToken') },
    }),
  matrix: (draft, { name }, config) =>
    vendorAddress(draft, name, 'matrix', {
      plain: { server: config.text('homeserverUrl'), room_id: config.text('internalRoomId') },
      secret: { access_token: config.text('accessToken') },
    }),
  Splunk: (draft, { name }, config) => {
    const { key = null, route = null } = splunkPlace(config) ?? {}
    return vendorAddress(draft, name, 'splunk_on_call', { plain: { route }, secret: { key } })
  },
  twilio: (draft, { name }, config) =>
    vendorAddress(draft, name, 'twilio_sms', {
      plain: {
        ...{ account_sid: config.text('twilioAccountSID'), from: config.text('twilioFromNumber') },
        to: config.text('twilioToNumber'),
      },
      secret: { auth_token: config.text('twilioAuthToken') },
    }),
  signal: (draft, { name }, config) =>
    (config.text('signalRecipients') ?? '').split(',').map((recipient) =>
      vendorAddress(draft, name, 'signal', {
        plain: {
          ...{ server: serverOf(config.text('signalURL')), number: config.text('signalNumber') },
          recipient: recipient.trim(),
        },
      }),
    ),
  webhook: (draft, item, config) => {
    item.change('The request has the body of Latarnik’s webhook.')
    const headers = Object.entries(config.row('webhookAdditionalHeaders').members)
    const lines = headers.map(([name, value]) => `${name}: ${textOf(value)}`).join('\n')
    const method = config.text('httpMethod')?.toUpperCase() ?? null
    return vendorAddress(draft, item.name, 'webhook', {
      plain: { url: config.text('webhookURL'), method: method === 'POST' ? null : method },
      ...(lines === '' ? {} : { secret: { headers: lines } }),
    })
  },
}

/** `Anna <anna@example.com>` → the address alone. */
function mailboxes(list: string | null): string {
  return (list ?? '')
    .split(/([,;])/)
    .map((one) =>
      one.includes('<')
        ? one
            .slice(one.indexOf('<') + 1)
            .split('>', 1)
            .join('')
        : one,
    )
    .join('')
}

/** Kuma has the address of the request, Latarnik the one of the server. */
function serverOf(url: string | null): string | null {
  return url?.replace(/\/v\d+\/send\/?$/, '') ?? null
}

const pagerdutyRegions: Readonly<Record<string, string>> = {
  ...{ 'https://events.pagerduty.com/v2/enqueue': 'us', 'https://events.eu.pagerduty.com/v2/enqueue': 'eu' },
}

/** Null: the messages go to a server of somebody else. */
function pagerdutyRegion(config: Row): string | null {
  const url = config.text('pagerdutyIntegrationUrl')?.replace(/\/$/, '')
  return url === undefined ? 'us' : (ownOf(pagerdutyRegions, url) ?? null)
}

function splunkPlace(config: Row): { readonly key: string; readonly route: string } | null {
  const [, key = '', route = ''] =
    /^https:\/\/alert\.victorops\.com\/integrations\/generic\/\d+\/alert\/([^/?#]+)\/([^/?#]+)\/?$/.exec(
      config.text('splunkRestURL') ?? '',
    ) ?? []
  return route === '' ? null : { key, route: decodeURI(route) }
}

/** Why a notification would tell elsewhere than it did there, and so is not carried; null: it would not. */
const strangers: Readonly<Record<string, (config: Row) => string | null>> = {
  twilio: (config) =>
    config.has('twilioApiKey') && config.text('twilioApiKey') !== config.text('twilioAccountSID')
      ? 'It logs in by a key of the API; Latarnik takes the token of the account.'
      : null,
  telegram: (config) =>
    /^https:\/\/api\.telegram\.org\/?$/.test(config.text('telegramServerUrl') ?? 'https://api.telegram.org')
      ? null
      : 'It has a Telegram server of its own.',
  discord: (config) =>
    config.text('discordChannelType') === 'createNewForumPost'
      ? 'It opens a post of a forum for each message, which Latarnik does not: take a webhook of a channel or a thread.'
      : null,
  PagerDuty: (config) =>
    pagerdutyRegion(config) === null ? 'It has a server of its own in place of PagerDuty’s.' : null,
  Splunk: (config) => (splunkPlace(config) === null ? 'Its address is none of Splunk On-Call’s REST endpoint.' : null),
  apprise: () => 'Kuma runs Apprise itself. Latarnik tells an Apprise API of your own: add its address by hand.',
  JiraServiceManagement: () => 'It writes by a login of Jira; Latarnik takes the key of an API integration.',
}

/** Members that say nothing about where or how it is told, or only what others say too. */
const known = new Set([
  ...['id', 'userId', 'name', 'type', 'active', 'isDefault', 'applyExisting'],
  ...['ntfyAuthenticationMethod', 'discordChannelType', 'webhookContentType', 'ntfypassword', 'slackUseTemplate'],
])
/** How its mail server is reached: the report says that ours is used. */
const ofMailServer = /^smtp/

/** The addresses, or the reason why there are none. */
export function kumaAddresses(draft: Draft, item: Item, config: Row): readonly ImportedAddress[] | string {
  const type = config.text('type') ?? ''
  const reason = ownOf(strangers, type)?.(config) ?? null
  if (reason !== null) return reason
  const reader = ownOf(readers, type)
  if (reader === undefined) return `Latarnik has no such channel: ${type}.`
  const addresses = [reader(draft, item, config)].flat()
  const left = config.unread().filter((name) => !known.has(name) && !ofMailServer.test(name))
  if (left.length > 0) item.change(`Left out: ${left.join(', ')}.`)
  return addresses
}
