import type { CheckDeclaration } from '../declare.ts'
import { expectedAnswer, text, timeout } from '../settings.ts'

export const udp: CheckDeclaration = {
  check: 'udp',
  types: {
    udp: { name: { en: 'UDP', pl: 'UDP' }, addressPrefix: '', addressForm: 'host_port', hasIpv6: true },
  },
  settings: [
    text(
      'text_to_send',
      {
        en: 'Text of the datagram; \\r, \\n, \\t, \\\\ and \\xHH stand for single bytes',
        pl: 'Tekst datagramu; \\r, \\n, \\t, \\\\ i \\xHH oznaczają pojedyncze bajty',
      },
      { longest: 1000, grammar: 'escaped_bytes' },
    ),
    expectedAnswer,
    timeout(5000),
  ],
}
