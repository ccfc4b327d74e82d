import { membersOf } from './answer-members.ts'
import { acknowledgeButton, type LinkButton } from './buttons.ts'
import { cutText } from './cut-text.ts'
import { optionalSecret, optionalSecretUrl, optionalText } from './fields.ts'
import { integration, type Notification } from './integration.ts'
import { colorOf } from './markup.ts'

const vendor = 'https://hooks.slack.com'
/** The Web API, which bots call. `SLACK_API_URL` replaces it. */
const api = 'https://slack.com/api'
const webhookPattern = '^https://hooks\\.slack\\.com/(services|workflows|triggers)/[\\w/-]+$'

/** Slack's limit of a section in characters. */
const longestSection = 3000

/** Slack uses these three characters for mentions and links. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack = integration({
  id: 'slack',
  words: {
    en: {
      name: 'Slack',
      description: 'A message in a channel, by an incoming webhook or a bot. A bot answers the failure in its thread.',
    },
    pl: {
      name: 'Slack',
      description: 'Wiadomość na kanale, przez webhook przychodzący lub bota. Bot odpowiada w wątku awarii.',
    },
  },
  vendor,
  furtherVendors: { api },
  acknowledgements: 'reply',
  needsOneOf: ['url', 'bot_token'],
  fields: {
    url: optionalSecretUrl(
      {
        en: { label: 'Webhook URL', description: 'Slack shows it when you add an incoming webhook to a channel.' },
        pl: { label: 'Adres webhooka', description: 'Slack pokazuje go po dodaniu webhooka przychodzącego do kanału.' },
      },
      {
        pattern: webhookPattern,
        expected: {
          en: 'Expected an address like https://hooks.slack.com/services/T…/B…/….',
          pl: 'Oczekiwany jest adres w rodzaju https://hooks.slack.com/services/T…/B…/….',
        },
      },
    ),
    bot_token: optionalSecret(
      {
        en: {
          label: 'Bot token',
          description: 'Instead of a webhook: the token of an app with the right chat:write, invited to the channel.',
        },
        pl: {
          label: 'Token bota',
          description: 'Zamiast webhooka: token aplikacji z prawem chat:write, zaproszonej na kanał.',
        },
      },
      {
        pattern: '^xoxb-[\\w-]{10,200}$',
        expected: { en: 'Expected a token like xoxb-….', pl: 'Oczekiwany jest token w rodzaju xoxb-….' },
      },
    ),
    channel: optionalText(
      {
        en: {
          label: 'Channel ID',
          description: 'For a bot token. Slack shows it at the end of the channel’s details.',
        },
        pl: { label: 'ID kanału', description: 'Do tokenu bota. Slack pokazuje je na końcu szczegółów kanału.' },
      },
      {
        pattern: '^[CDG][A-Z0-9]{6,20}$',
        expected: { en: 'Expected an ID like C0123456789.', pl: 'Oczekiwane jest ID w rodzaju C0123456789.' },
      },
    ),
  },
  problems({ bot_token: token, channel }) {
    if (token === null || channel !== null) return []
    const expected = {
      en: 'A bot token needs the ID of a channel.',
      pl: 'Token bota wymaga ID kanału.',
    }
    return [{ field: 'channel', expected }]
  },
  label({ url, bot_token: token, channel }) {
    if (token !== null) return `slack.com/${channel}`
    const [, kind, workspace, hook] = new URL(url ?? vendor).pathname.split('/')
    return ['hooks.slack.com', kind, workspace, hook].join('/')
  },
  detect: (pasted) => (new RegExp(webhookPattern).test(pasted.href) ? { url: pasted.href } : null),
  request(notification, { url, bot_token: token, channel }) {
    const { condition, answers = '' } = notification
    const body = bodyOf(notification)
    if (token === null || channel === null) return { url: url ?? vendor, json: body }
    const [place, thread] = answers.split('/')
    const isThread = place === channel && thread !== undefined
    return {
      url: `${api}/chat.postMessage`,
      headers: { Authorization: `Bearer ${token}` },
      json: {
        ...{ channel, ...body, unfurl_links: false },
        ...(isThread ? { thread_ts: thread, reply_broadcast: condition === 'recovery' } : {}),
      },
    }
  },
  read({ status, text }) {
    const { ok, error, channel, ts } = membersOf(text)
    if (ok === true && typeof channel === 'string' && typeof ts === 'string') return { reference: `${channel}/${ts}` }
    if (ok !== false || typeof error !== 'string') return {}
    const isPassing = status >= 500 || passingErrors.has(error)
    return { isTaken: false, permanent: !isPassing, said: error }
  },
})

/** Slack answers 200 to these, too: https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const passingErrors = new Set([
  ...['fatal_error', 'internal_error', 'rate_limited', 'ratelimited', 'request_timeout', 'service_unavailable'],
  'team_added_to_org',
])

function bodyOf(notification: Notification): object {
  const { subject, text, link, condition } = notification
  const [button, color] = [acknowledgeButton(notification), colorOf(condition)]
  const title = escaped(cutText(subject, 200))
  const linked = link === null ? `*${title}*` : `*<${link}|${title}>*`
  const section = { type: 'section', text: { type: 'mrkdwn', text: `${linked}\n${escaped(cutText(text, 2000))}` } }
  section.text.text = cutText(section.text.text, longestSection)
  const blocks = button === null ? [section] : [section, linkTo(button)]
  return { text: title, attachments: [{ blocks, ...(color === null ? {} : { color }) }] }
}

/** A link instead of a button: Slack would ask the app behind the webhook for an answer, and there is none. */
function linkTo({ text, url }: LinkButton): object {
  return { type: 'section', text: { type: 'mrkdwn', text: `<${escaped(url)}|${escaped(text)}>` } }
}
