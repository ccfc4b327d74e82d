import type { CheckDeclaration } from '../declare.ts'
import {
  certificateDays,
  credentials,
  expectedAnswer,
  port,
  requestHeaders,
  textToSend,
  timeout,
  verifyCertificate,
  warningDays,
} from '../shared-settings.ts'

export const websocket: CheckDeclaration = {
  check: 'websocket',
  family: 'web',
  keywords: ['ws', 'realtime', 'gniazdo'],
  types: {
    websocket: {
      name: { en: 'WebSocket', pl: 'WebSocket' },
      ...{ addressPrefix: 'ws://', addressForm: 'web', hasIpv6: true },
    },
    websocket_tls: {
      name: { en: 'WebSocket over TLS', pl: 'WebSocket przez TLS' },
      ...{ addressPrefix: 'wss://', addressForm: 'web', hasIpv6: true },
    },
  },
  settings: [
    port(null),
    textToSend,
    expectedAnswer,
    requestHeaders,
    ...credentials,
    verifyCertificate,
    certificateDays,
    warningDays,
    timeout(7000),
  ],
}
