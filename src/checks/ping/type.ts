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
      { en: 'Number of bytes sent in the echo request', pl: 'Liczba bajtów wysyłanych w zapytaniu echo' },
      { standard: 64, minimum: 1, maximum: 65_535 },
    ),
    integer(
      'reply_timeout',
      { en: 'Longest wait for a reply in milliseconds', pl: 'Najdłuższe oczekiwanie na odpowiedź w milisekundach' },
      { standard: 3000, minimum: 1, maximum: 120_000 },
    ),
  ],
}
