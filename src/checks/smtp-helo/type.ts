import type { CheckDeclaration } from '../declare.ts'
import { flag, text } from '../settings.ts'
import { port, timeout, verifyCertificate, warningDays } from '../shared-settings.ts'

export const smtpHelo: CheckDeclaration = {
  check: 'smtp_helo',
  family: 'mail',
  keywords: ['email', 'e-mail', 'mta', 'postfix', 'exim', 'exchange', 'poczta'],
  types: {
    smtp_helo: {
      name: { en: 'SMTP HELO', pl: 'SMTP HELO' },
      ...{ addressPrefix: 'smtp://', addressForm: 'host', hasIpv6: true },
    },
  },
  settings: [
    port(25),
    text(
      'helo_name',
      {
        en: { label: 'HELO name', description: 'The name with which the station introduces itself. Empty: its own.' },
        pl: { label: 'Nazwa HELO', description: 'Nazwa, którą przedstawia się stacja. Puste: jej własna.' },
      },
      { longest: 255, pattern: '^[A-Za-z0-9._:\\[\\]-]+$' },
    ),
    flag(
      'start_tls',
      {
        en: { label: 'STARTTLS', description: 'The connection switches to TLS, which must succeed.' },
        pl: { label: 'STARTTLS', description: 'Połączenie przechodzi na TLS, co musi się udać.' },
      },
      false,
    ),
    timeout(10_000),
    verifyCertificate,
    warningDays,
  ],
}
