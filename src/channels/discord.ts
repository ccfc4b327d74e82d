import { membersOf } from './answer-members.ts'
import { cutEscaped } from './cut-text.ts'
import { secretUrl } from './fields.ts'
import { type IntegrationRequest, integration, type Notification } from './integration.ts'
import { colorOf, escapeMarkdown } from './markup.ts'

const vendor = 'https://discord.com'
const webhookPattern =
  '^https://((ptb|canary)\\.)?discord(app)?\\.com/api(/v\\d+)?/webhooks/\\d{5,25}/[\\w-]{20,200}(\\?thread_id=\\d{5,25})?$'

/** Discord's limit for an embed's text, in characters. */
const longestTitle = 256
const longestText = 4096
/** Its limit for the text above the embeds. */
const longestContent = 2000

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
export const discord = integration({
  id: 'discord',
  words: {
    en: { name: 'Discord', description: 'A message in a channel, by a webhook.' },
    pl: { name: 'Discord', description: 'Wiadomość na kanale, przez webhook.' },
  },
  vendor,
  fields: {
    url: secretUrl(
      {
        en: {
          label: 'Webhook URL',
          description: 'Discord shows it in the settings of the channel, under Integrations.',
        },
        pl: { label: 'Adres webhooka', description: 'Discord pokazuje go w ustawieniach kanału, w części Integracje.' },
      },
      {
        pattern: webhookPattern,
        expected: {
          en: 'Expected an address like https://discord.com/api/webhooks/…/….',
          pl: 'Oczekiwany jest adres w rodzaju https://discord.com/api/webhooks/…/….',
        },
      },
    ),
  },
  acknowledgements: 'reply',
  label: ({ url }) => `discord.com/api/webhooks/${idAndTokenOf(url)[0]}`,
  detect(pasted) {
    if (pasted.protocol !== 'discord:') {
      return new RegExp(webhookPattern).test(pasted.href) ? { url: pasted.href } : null
    }
    const url = `${vendor}/api/webhooks/${pasted.hostname}${pasted.pathname.replace(/\/$/, '')}`
    return new RegExp(webhookPattern).test(url) ? { url } : null
  },
  request(notification, { url }) {
    const { subject, text, link, condition } = notification
    if (condition === 'acknowledgement') return marking(notification, url)
    const color = colorOf(condition)
    const embed = {
      title: cutEscaped(subject, longestTitle, escapeMarkdown),
      description: cutEscaped(text, longestText, escapeMarkdown),
      ...(link !== null && isTaken(link) ? { url: link } : {}),
      ...(color === null ? {} : { color: Number.parseInt(color.slice(1), 16) }),
    }
    return {
      url: `${vendor}/api/webhooks/${idAndTokenOf(url).join('/')}?${parametersOf(url, { wait: 'true' })}`,
      json: { content: '', embeds: [embed], allowed_mentions: { parse: [] } },
    }
  },
  amend(notification, { url }) {
    const { condition, answers } = notification
    return condition === 'recovery' && answers !== undefined ? marking(notification, url) : null
  },
  read({ status, text }) {
    const { retry_after: seconds, id } = membersOf(text)
    if (status === 429 && typeof seconds === 'number') return { retryAfter: Math.ceil(seconds * 1000) }
    return typeof id === 'string' && /^\d{5,25}$/.test(id) ? { reference: id } : {}
  },
})

/**
 * Writes above the message about the failure what has become of it. A webhook cannot reply:
 * https://docs.discord.com/developers/resources/webhook#edit-webhook-message
 */
function marking({ subject, answers }: Notification, url: string): IntegrationRequest {
  const parameters = parametersOf(url)
  const message = `${vendor}/api/webhooks/${idAndTokenOf(url).join('/')}/messages/${answers}`
  return {
    url: parameters === '' ? message : `${message}?${parameters}`,
    method: 'PATCH',
    json: { content: cutEscaped(subject, longestContent, escapeMarkdown), allowed_mentions: { parse: [] } },
  }
}

function parametersOf(url: string, parameters: Readonly<Record<string, string>> = {}): string {
  const thread = new URL(url).searchParams.get('thread_id')
  return new URLSearchParams({ ...parameters, ...(thread === null ? {} : { thread_id: thread }) }).toString()
}

function idAndTokenOf(url: string): readonly string[] {
  return new URL(url).pathname.split('/').slice(-2)
}

/**
 * Discord refuses the whole message if it links to a host without a dot, such as `localhost`; the text has the link
 * too.
 */
function isTaken(link: string): boolean {
  return new URL(link).hostname.includes('.')
}
