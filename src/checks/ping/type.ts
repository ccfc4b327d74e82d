import type { CheckDeclaration } from '../declare.ts'
import { integer } from '../settings.ts'

export const ping: CheckDeclaration = {
  check: 'ping',
  family: 'network',
  keywords: ['icmp', 'host', 'alive', 'server', 'router', 'serwer'],
  types: { ping: { name: { en: 'Ping', pl: 'Ping' }, addressPrefix: '', addressForm: 'host', hasIpv6: true } },
  settings: [
    integer(
      'bytes_to_send',
      {
        en: { label: 'Bytes to send', description: 'The size of the echo request.' },
        pl: { label: 'Bajty do wysłania', description: 'Rozmiar zapytania echo.' },
      },
      { standard: 64, minimum: 1, maximum: 65_535, unit: 'B' },
    ),
    integer(
      'reply_timeout',
      {
        en: { label: 'Timeout', description: 'The longest wait for a reply.' },
        pl: { label: 'Limit czasu', description: 'Najdłuższe oczekiwanie na odpowiedź.' },
      },
      { standard: 3000, minimum: 1, maximum: 120_000, unit: 'ms' },
    ),
  ],
}
