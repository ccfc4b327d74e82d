import type { CheckDeclaration } from '../declare.ts'
import { credentials, port, timeout, tlsMode } from '../shared-settings.ts'

export const imap: CheckDeclaration = {
  check: 'imap',
  family: 'mail',
  keywords: ['email', 'e-mail', 'mailbox', 'dovecot', 'poczta', 'skrzynka'],
  types: {
    imap: { name: { en: 'IMAP', pl: 'IMAP' }, addressPrefix: 'imap://', addressForm: 'host', hasIpv6: true },
  },
  settings: [port(143), ...tlsMode('starttls', 'tls', 'off'), ...credentials, timeout(10_000)],
}
