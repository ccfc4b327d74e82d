import type { CheckDeclaration } from '../declare.ts'
import { expectedAnswer, textToSend, timeout } from '../shared-settings.ts'

export const udp: CheckDeclaration = {
  check: 'udp',
  family: 'network',
  keywords: ['port', 'datagram', 'game', 'gra'],
  types: {
    udp: { name: { en: 'UDP', pl: 'UDP' }, addressPrefix: '', addressForm: 'host_port', hasIpv6: true },
  },
  settings: [textToSend, expectedAnswer, timeout(5000)],
}
