import { membersOf } from './answer-members.ts'
import { cutEscaped } from './cut-text.ts'
import { secretUrl } from './fields.ts'
import { integration } from './integration.ts'
import { colorOf, escapeMarkdown } from './markup.ts'

const vendor = 'https://discord.com'
const webhookPattern =
  '^https://((ptb|canary)\\.)?discord(app)?\\.com/api(/v\\d+)?/webhooks/\\d{5,25}/[\\w-]{20,200}(\\?thread_id=\\d{5,25})?$'

/** Discord's limit for an embed's text, in characters. */
const longestTitle = 256
const longestText = 4096

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
  label: ({ url }) => `discord.com/api/webhooks/${idAndTokenOf(url)[0]}`,
  detect(pasted) {
    if (pasted.protocol !== 'discord:') {
      return new RegExp(webhookPattern).test(pasted.href) ? { url: pasted.href } : null
    }
    const url = `${vendor}/api/webhooks/${pasted.hostname}${pasted.pathname.replace(/\/$/, '')}`
    return new RegExp(webhookPattern).test(url) ? { url } : null
  },
  request({ subject, text, link, condition }, { url }) {
    const color = colorOf(condition)
    const embed = {
      title: cutEscaped(subject, longestTitle, escapeMarkdown),
      description: cutEscaped(text, longestText, escapeMarkdown),
      ...(link !== null && isTaken(link) ? { url: link } : {}),
      ...(color === null ? {} : { color: Number.parseInt(color.slice(1), 16) }),
    }
    const thread = new URL(url).searchParams.get('thread_id')
    return {
      url: `${vendor}/api/webhooks/${idAndTokenOf(url).join('/')}?wait=true${thread === null ? '' : `&thread_id=${thread}`}`,
      json: { content: '', embeds: [embed], allowed_mentions: { parse: [] } },
    }
  },
  read({ status, text }) {
    const seconds = membersOf(text)['retry_after']
    return status === 429 && typeof seconds === 'number' ? { retryAfter: Math.ceil(seconds * 1000) } : {}
  },
})

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
