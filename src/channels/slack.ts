import { acknowledgeButton, type LinkButton } from './buttons.ts'
import { cutText } from './cut-text.ts'
import { secretUrl } from './fields.ts'
import { integration } from './integration.ts'
import { colorOf } from './markup.ts'

const vendor = 'https://hooks.slack.com'
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
    en: { name: 'Slack', description: 'A message in a channel, by an incoming webhook.' },
    pl: { name: 'Slack', description: 'Wiadomość na kanale, przez webhook przychodzący.' },
  },
  vendor,
  fields: {
    url: secretUrl(
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
  },
  label({ url }) {
    const [, kind, workspace, hook] = new URL(url).pathname.split('/')
    return ['hooks.slack.com', kind, workspace, hook].join('/')
  },
  detect: (pasted) => (new RegExp(webhookPattern).test(pasted.href) ? { url: pasted.href } : null),
  request(notification, { url }) {
    const { subject, text, link, condition } = notification
    const button = acknowledgeButton(notification)
    const title = escaped(cutText(subject, 200))
    const linked = link === null ? `*${title}*` : `*<${link}|${title}>*`
    const section = { type: 'section', text: { type: 'mrkdwn', text: `${linked}\n${escaped(cutText(text, 2000))}` } }
    section.text.text = cutText(section.text.text, longestSection)
    const color = colorOf(condition)
    const blocks = button === null ? [section] : [section, linkTo(button)]
    return {
      url,
      json: { text: title, attachments: [{ blocks, ...(color === null ? {} : { color }) }] },
    }
  },
})

/** A link instead of a button: Slack would ask the app behind the webhook for an answer, and there is none. */
function linkTo({ text, url }: LinkButton): object {
  return { type: 'section', text: { type: 'mrkdwn', text: `<${escaped(url)}|${escaped(text)}>` } }
}
