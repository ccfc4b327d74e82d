import type { CheckDeclaration } from '../declare.ts'
import { choice } from '../settings.ts'
import {
  certificateDays,
  expectedAnswer,
  textToSend,
  timeout,
  verifyCertificate,
  warningDays,
} from '../shared-settings.ts'

export const tls: CheckDeclaration = {
  check: 'tls',
  family: 'names',
  keywords: ['certificate', 'ssl', 'x509', 'expiry', 'starttls', 'certyfikat', 'wygaśnięcie'],
  types: {
    tls: { name: { en: 'TLS', pl: 'TLS' }, addressPrefix: '', addressForm: 'host_port', hasIpv6: true },
  },
  settings: [
    choice(
      'starttls',
      {
        en: {
          label: 'STARTTLS protocol',
          description: 'The protocol in which TLS is asked for first; “off”: TLS from the first byte.',
        },
        pl: {
          label: 'Protokół STARTTLS',
          description: 'Protokół, w którym najpierw prosi się o TLS; „off”: TLS od pierwszego bajtu.',
        },
      },
      ['off', 'smtp', 'imap', 'pop3', 'ftp', 'ldap', 'postgresql'],
    ),
    textToSend,
    expectedAnswer,
    verifyCertificate,
    certificateDays,
    warningDays,
    timeout(5000),
  ],
}
