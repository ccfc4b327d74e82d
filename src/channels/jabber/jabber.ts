import { address, onOrOff, variable } from '../../config/variable.ts'
import { jabberPattern } from '../../domain/notification/jabber-address.ts'
import { gateway } from '../declare.ts'
import { rateVariable } from '../rate-variable.ts'
import type { JabberAccount } from './login.ts'
import { jabberTransport } from './messages.ts'

const usualPorts = { 'xmpp:': 5222, 'xmpps:': 5223 } as const

function accountOf(text: string): Omit<JabberAccount, 'isTlsRequired'> | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password, searchParams } = new URL(text)
  const strangers = [...searchParams.keys()].some((name) => name !== 'domain')
  if (username === '' || password === '' || hostname === '' || port === '0' || strangers) return null
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usualPorts[protocol === 'xmpps:' ? 'xmpps:' : 'xmpp:'] : Number(port),
    isTls: protocol === 'xmpps:',
    domain: searchParams.get('domain') ?? hostname,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
}

export const jabber = gateway({
  id: 'jabber',
  name: 'Jabber',
  channels: [
    {
      id: 'jabber',
      words: {
        en: { name: 'Jabber', description: 'An XMPP message.' },
        pl: { name: 'Jabber', description: 'Wiadomość XMPP.' },
      },
      address: {
        pattern: jabberPattern,
        expected: {
          en: 'Expected a Jabber address, for example alice@jabber.example.',
          pl: 'Oczekiwany jest adres Jabbera, na przykład alice@jabber.example.',
        },
      },
      style: 'text',
    },
  ],
  variables: {
    XMPP_URL: variable({
      defaultText: undefined,
      wrongText: 'alice@example.com',
      schema: address('xmpp:', 'xmpps:').refine(
        (url) => accountOf(url) !== null,
        'must hold a user, a password and a host, xmpp://user:password@host, and at most ?domain=…',
      ),
      type: 'URL',
      isSecret: true,
      meaning:
        'Account for Jabber, `xmpp://user:password@host:5222` (STARTTLS) or `xmpps://…:5223`; `?domain=example.com` if the host is not the account’s domain; unset: notifications through Jabber fail.',
    }),
    XMPP_TLS: variable({
      defaultText: 'on',
      wrongText: 'maybe',
      schema: onOrOff,
      type: '`on` or `off`',
      meaning: 'Whether a server of `xmpp://…` must offer TLS; `off` is for one on the same machine.',
    }),
    XMPP_RATE: rateVariable('messages by Jabber'),
  },
  needs: 'XMPP_URL',
  connect({ XMPP_URL, XMPP_TLS }) {
    const found = XMPP_URL === undefined ? null : accountOf(XMPP_URL)
    if (found === null) return null
    const account = Object.freeze({ ...found, isTlsRequired: XMPP_TLS })
    return { goesTo: `${account.host}:${account.port}`, settings: account, open: () => jabberTransport(account) }
  },
  perMinute: ({ XMPP_RATE }) => XMPP_RATE,
})
