import type { CheckDeclaration } from '../declare.ts'
import { credentials, expectedAnswer, port, text, timeout, tlsMode } from '../settings.ts'

export const mqtt: CheckDeclaration = {
  check: 'mqtt',
  family: 'messaging',
  keywords: ['broker', 'iot', 'mosquitto', 'queue', 'message', 'topic', 'kolejka', 'wiadomość', 'temat'],
  types: {
    mqtt: { name: { en: 'MQTT', pl: 'MQTT' }, addressPrefix: 'mqtt://', addressForm: 'host', hasIpv6: true },
  },
  settings: [
    port(1883),
    ...tlsMode('off', 'tls'),
    ...credentials,
    text(
      'topic',
      {
        en: 'Topic to subscribe to and wait for a message on, + and # allowed; empty: the login is enough',
        pl: 'Temat do subskrypcji, na którym czeka się na wiadomość, dozwolone + i #; pusty: wystarczy logowanie',
      },
      { longest: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$' },
    ),
    expectedAnswer,
    timeout(10_000),
  ],
}
