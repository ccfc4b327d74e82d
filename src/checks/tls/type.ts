import type { CheckDeclaration } from '../declare.ts'
import {
  certificateDays,
  choice,
  expectedAnswer,
  textToSend,
  timeout,
  verifyCertificate,
  warningDays,
} from '../settings.ts'

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
        en: 'Protocol in which TLS is asked for first; “off”: TLS from the first byte',
        pl: 'Protokół, w którym najpierw prosi się o TLS; „off”: TLS od pierwszego bajtu',
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
