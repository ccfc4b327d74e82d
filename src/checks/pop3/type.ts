import type { CheckDeclaration } from '../declare.ts'
import { credentials, port, timeout, tlsMode } from '../shared-settings.ts'

export const pop3: CheckDeclaration = {
  check: 'pop3',
  family: 'mail',
  keywords: ['email', 'e-mail', 'mailbox', 'dovecot', 'poczta', 'skrzynka'],
  types: {
    pop3: { name: { en: 'POP3', pl: 'POP3' }, addressPrefix: 'pop3://', addressForm: 'host', hasIpv6: true },
  },
  settings: [port(110), ...tlsMode('starttls', 'tls', 'off'), ...credentials, timeout(10_000)],
}
