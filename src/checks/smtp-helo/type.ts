import type { CheckDeclaration } from '../declare.ts'
import { flag, port, text, timeout, verifyCertificate, warningDays } from '../settings.ts'

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
      { en: 'Name with which the sensor introduces itself', pl: 'Nazwa, którą przedstawia się sensor' },
      { longest: 255, pattern: '^[A-Za-z0-9._:\\[\\]-]+$' },
    ),
    flag('start_tls', { en: 'Switch to TLS with STARTTLS', pl: 'Przejdź na TLS poleceniem STARTTLS' }, false),
    timeout(10_000),
    verifyCertificate,
    warningDays,
  ],
}
