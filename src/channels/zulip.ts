import { membersOf } from './answer-members.ts'
import { cutEscaped, cutText } from './cut-text.ts'
import { secret, text, url } from './fields.ts'
import { basicAuthorization, integration, serverOf } from './integration.ts'
import { escapeMarkdown, withoutMentions } from './markup.ts'

/** Zulip's default limit in characters. */
const longestTopic = 60
const longestText = 9000

/** https://zulip.com/api/send-message */
export const zulip = integration({
  id: 'zulip',
  words: {
    en: { name: 'Zulip', description: 'A message in a channel, by a bot. Each service has a topic of its own.' },
    pl: { name: 'Zulip', description: 'Wiadomość na kanale, od bota. Każda usługa ma swój wątek.' },
  },
  vendor: null,
  fields: {
    site: url({
      en: { label: 'Organization', description: 'Its address, such as https://example.zulipchat.com.' },
      pl: { label: 'Organizacja', description: 'Jej adres, na przykład https://example.zulipchat.com.' },
    }),
    email: text(
      {
        en: { label: 'Email of the bot', description: 'Zulip shows it in the settings of the bot.' },
        pl: { label: 'E-mail bota', description: 'Zulip pokazuje go w ustawieniach bota.' },
      },
      {
        pattern: '^[^\\s@:]+@[^\\s@:]+$',
        expected: {
          en: 'Expected an address like watch-bot@example.zulipchat.com.',
          pl: 'Oczekiwany jest adres w rodzaju watch-bot@example.zulipchat.com.',
        },
      },
    ),
    api_key: secret({
      en: { label: 'API key', description: 'Zulip shows it in the settings of the bot.' },
      pl: { label: 'Klucz API', description: 'Zulip pokazuje go w ustawieniach bota.' },
    }),
    stream: text({
      en: { label: 'Channel', description: 'Its name, without #. The bot must be subscribed where it is private.' },
      pl: { label: 'Kanał', description: 'Jego nazwa, bez #. Gdy jest prywatny, bot musi go subskrybować.' },
    }),
  },
  label: ({ site, stream }) => `${new URL(site).host}/${stream}`,
  detect({ protocol, username, hostname, pathname }) {
    const [, key = '', stream, ...others] = pathname.replace(/\/$/, '').split('/')
    if (protocol !== 'zulip:' || username === '' || key === '' || others.length > 0) return null
    const host = hostname.includes('.') ? hostname : `${hostname}.zulipchat.com`
    return {
      ...{ site: `https://${host}`, email: `${username.replace(/-bot$/, '')}-bot@${host}`, api_key: key },
      ...(stream === undefined ? {} : { stream: decodeURIComponent(stream).replace(/^#/, '') }),
    }
  },
  request({ subject, text: body, link, serviceName }, { site, email, api_key: key, stream }) {
    const title = withoutMentions(escapeMarkdown(cutText(subject, 200)))
    const linked = link === null ? `**${title}**` : `**[${title}](${link})**`
    const shown = cutEscaped(body, longestText, (part) => withoutMentions(escapeMarkdown(part)))
    return {
      url: `${serverOf(site)}/api/v1/messages`,
      headers: basicAuthorization(email, key),
      form: {
        ...{ type: 'stream', to: stream, topic: cutText(serviceName ?? 'Latarnik', longestTopic) },
        content: `${linked}\n\n${shown}`,
      },
    }
  },
  read({ text: answer }) {
    const { msg, 'retry-after': seconds } = membersOf(answer)
    return {
      ...(typeof msg === 'string' ? { said: msg } : {}),
      ...(typeof seconds === 'number' ? { retryAfter: Math.ceil(seconds * 1000) } : {}),
    }
  },
})
