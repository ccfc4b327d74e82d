import { attachmentBody, saidByHook } from './attachments.ts'
import { secretUrl } from './fields.ts'
import { integration } from './integration.ts'

const hookPattern = '^https?://[^\\s?#]+/hooks/[a-z0-9]{20,40}$'

/** https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const mattermost = integration({
  id: 'mattermost',
  words: {
    en: { name: 'Mattermost', description: 'A message in a channel, by an incoming webhook.' },
    pl: { name: 'Mattermost', description: 'Wiadomość na kanale, przez webhook przychodzący.' },
  },
  vendor: null,
  fields: {
    url: secretUrl(
      {
        en: { label: 'Webhook URL', description: 'Mattermost shows it when you add an incoming webhook.' },
        pl: { label: 'Adres webhooka', description: 'Mattermost pokazuje go po dodaniu webhooka przychodzącego.' },
      },
      {
        pattern: hookPattern,
        expected: {
          en: 'Expected an address like https://mattermost.example.com/hooks/….',
          pl: 'Oczekiwany jest adres w rodzaju https://mattermost.example.com/hooks/….',
        },
      },
    ),
  },
  label: ({ url }) => new URL(url).host,
  detect({ protocol, host, pathname }) {
    if (protocol !== 'mmost:' && protocol !== 'mmosts:') return null
    const parts = pathname.split('/').filter((part) => part !== '')
    const token = parts.pop()
    const url = [`${protocol === 'mmosts:' ? 'https' : 'http'}://${host}`, ...parts, 'hooks', token].join('/')
    return new RegExp(hookPattern).test(url) ? { url } : null
  },
  request: (notification, { url }) => ({ url, json: attachmentBody(notification) }),
  read: saidByHook,
})
