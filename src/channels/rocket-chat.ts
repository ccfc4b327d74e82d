import { attachmentBody, saidByHook } from './attachments.ts'
import { secretUrl } from './fields.ts'
import { integration } from './integration.ts'

const hookPattern = '^https?://[^\\s?#]+/hooks/[A-Za-z0-9]{10,40}/[A-Za-z0-9]{20,80}$'

/** https://docs.rocket.chat/docs/integrations */
export const rocketChat = integration({
  id: 'rocket_chat',
  words: {
    en: { name: 'Rocket.Chat', description: 'A message in a channel, by an incoming webhook.' },
    pl: { name: 'Rocket.Chat', description: 'Wiadomość na kanale, przez webhook przychodzący.' },
  },
  vendor: null,
  fields: {
    url: secretUrl(
      {
        en: { label: 'Webhook URL', description: 'Rocket.Chat shows it when you add an incoming webhook.' },
        pl: { label: 'Adres webhooka', description: 'Rocket.Chat pokazuje go po dodaniu webhooka przychodzącego.' },
      },
      {
        pattern: hookPattern,
        expected: {
          en: 'Expected an address like https://chat.example.com/hooks/…/….',
          pl: 'Oczekiwany jest adres w rodzaju https://chat.example.com/hooks/…/….',
        },
      },
    ),
  },
  label: ({ url }) => new URL(url).host,
  detect({ href }) {
    const [, secure, id, token, host] = apprisePattern.exec(href) ?? []
    return host === undefined ? null : { url: `http${secure}://${host}/hooks/${id}/${token}` }
  },
  request: (notification, { url }) => ({ url, json: attachmentBody(notification) }),
  read: saidByHook,
})

/** The slash within the token hides the host from parsers of URLs. */
const apprisePattern = /^rocket(s?):\/\/([a-z0-9]{10,40})(?:\/|%2f)([a-z0-9]{20,80})@([^/?#\s]+)\/?$/i
