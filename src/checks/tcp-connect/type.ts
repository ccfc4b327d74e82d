import type { CheckDeclaration } from '../declare.ts'
import { timeout } from '../shared-settings.ts'

export const tcpConnect: CheckDeclaration = {
  check: 'tcp_connect',
  family: 'network',
  keywords: ['port', 'socket', 'server', 'gniazdo', 'serwer'],
  types: {
    tcp_connect: {
      name: { en: 'TCP connect', pl: 'Połączenie TCP' },
      ...{ addressPrefix: '', addressForm: 'host_port', hasIpv6: true },
    },
  },
  settings: [timeout(5000)],
}
