import type { Address } from './address-check.ts'
import type { Draft, Item } from './draft.ts'
import type { Row } from './row.ts'
import { plainAddresses, vendorAddress } from './vendors.ts'

/** The notifications of Uptime Kuma as addresses of contacts. */

type Reader = (draft: Draft, item: Item, config: Row) => Address | readonly Address[]

function byUrl(channel: string, member: string): Reader {
  return (draft, { name }, config) => vendorAddress(draft, name, channel, { secret: { url: config.text(member) } })
}

const ntfyPriorities = ['', 'min', 'low', 'default', 'high', 'max']

const readers: Readonly<Record<string, Reader>> = {
  slack: byUrl('slack', 'slackwebhookURL'),
  discord: byUrl('discord', 'discordWebhookUrl'),
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
    vendorAddress(draft, name, 'pagerduty', { secret: { routing_key: config.text('pagerdutyIntegrationKey') } }),
  Opsgenie: (draft, { name }, config) =>
    vendorAddress(draft, name, 'opsgenie', {
      plain: { region: config.text('opsgenieRegion') },
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
      plain: { user: config.text('pushoveruserkey') },
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
    const lines = headers.map(([name, value]) => `${name}: ${String(value)}`).join('\n')
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

/** Members that would send the messages elsewhere: why a notification with them is not carried. */
const strangers: Readonly<Record<string, readonly [member: string, reason: string]>> = {
  twilio: ['twilioApiKey', 'It logs in by a key of the API; Latarnik takes the token of the account.'],
  telegram: ['telegramServerUrl', 'It has a Telegram server of its own.'],
}
const telegram = /^https:\/\/api\.telegram\.org\/?$/

function strangeReason(type: string, config: Row): string | null {
  const [member = '', reason = ''] = Object.hasOwn(strangers, type) ? (strangers[type] ?? []) : []
  return config.has(member) && !telegram.test(config.text(member) ?? '') ? reason : null
}

/** Members that say nothing about where or how it is told, or only what others say too. */
const known = new Set([
  ...['id', 'userId', 'name', 'type', 'active', 'isDefault', 'applyExisting'],
  ...['ntfyAuthenticationMethod', 'discordChannelType', 'webhookContentType'],
])
/** How its mail server is reached: the report says that ours is used. */
const ofMailServer = /^smtp/

/** The addresses, or the reason why there are none. */
export function kumaAddresses(draft: Draft, item: Item, config: Row): readonly Address[] | string {
  const type = config.text('type') ?? ''
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined
  if (reader === undefined) return `Latarnik has no such channel: ${type}.`
  const reason = strangeReason(type, config)
  if (reason !== null) return reason
  const addresses = [reader(draft, item, config)].flat()
  const left = config.unread().filter((name) => !known.has(name) && !ofMailServer.test(name))
  if (left.length > 0) item.change(`Left out: ${left.join(', ')}.`)
  return addresses
}
