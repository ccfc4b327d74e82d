import type { ImportedAddress } from './address-check.ts'
import type { Draft } from './draft.ts'
import type { Row } from './row.ts'
import { plainAddresses, vendorAddress } from './vendors.ts'

type Provider = (draft: Draft, name: string, row: Row) => ImportedAddress | readonly ImportedAddress[]

function byUrl(channel: string): Provider {
  return (draft, name, row) => vendorAddress(draft, name, channel, { secret: { url: row.text('webhook-url') } })
}

/** Where the alerts of each provider go. */
export const providers: Readonly<Record<string, Provider>> = {
  slack: byUrl('slack'),
  discord: byUrl('discord'),
  teams: byUrl('teams'),
  'teams-workflows': byUrl('teams'),
  mattermost: byUrl('mattermost'),
  rocketchat: byUrl('rocket_chat'),
  googlechat: byUrl('google_chat'),
  email: (_draft, _name, row) => plainAddresses('email', row.text('to')),
  telegram: (draft, name, row) =>
    vendorAddress(draft, name, 'telegram', {
      plain: { chat_id: row.text('id'), thread_id: row.number('topic-id') },
      secret: { bot_token: row.text('token') },
    }),
  pagerduty: (draft, name, row) =>
    vendorAddress(draft, name, 'pagerduty', { secret: { routing_key: row.text('integration-key') } }),
  opsgenie: (draft, name, row) => vendorAddress(draft, name, 'opsgenie', { secret: { api_key: row.text('api-key') } }),
  ntfy: (draft, name, row) =>
    vendorAddress(draft, name, 'ntfy', {
      plain: { server: row.text('url'), topic: row.text('topic') },
      ...(row.has('token') ? { secret: { token: row.text('token') } } : {}),
    }),
  pushover: (draft, name, row) =>
    vendorAddress(draft, name, 'pushover', {
      plain: { user: row.text('user-key') },
      secret: { token: row.text('application-token') },
    }),
  gotify: (draft, name, row) =>
    vendorAddress(draft, name, 'gotify', {
      plain: { server: row.text('server-url') },
      secret: { token: row.text('token') },
    }),
  matrix: (draft, name, row) =>
    vendorAddress(draft, name, 'matrix', {
      plain: { server: row.text('server-url') ?? 'https://matrix.org', room_id: row.text('internal-room-id') },
      secret: { access_token: row.text('access-token') },
    }),
  zulip: (draft, name, row) =>
    vendorAddress(draft, name, 'zulip', {
      plain: {
        site: `https://${row.text('domain') ?? ''}`,
        email: row.text('bot-email'),
        stream: row.text('channel-id'),
      },
      secret: { api_key: row.text('bot-api-key') },
    }),
  twilio: (draft, name, row) =>
    vendorAddress(draft, name, 'twilio_sms', {
      plain: { account_sid: row.text('sid'), from: row.text('from'), to: row.text('to') },
      secret: { auth_token: row.text('token') },
    }),
  signal: (draft, name, row) =>
    row.texts('recipients').map((recipient) =>
      vendorAddress(draft, name, 'signal', {
        plain: { server: row.text('api-url'), number: row.text('number'), recipient },
      }),
    ),
  custom: (draft, name, row) => vendorAddress(draft, name, 'webhook', { plain: { url: row.text('url') } }),
}
