import type { CheckDeclaration } from '../declare.ts'
import { text } from '../settings.ts'
import { credentials, expectedAnswer, port, timeout, tlsMode } from '../shared-settings.ts'

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
        en: {
          label: 'Topic',
          description: 'A message on it is waited for; + and # are allowed. Empty: the login is enough.',
        },
        pl: {
          label: 'Temat',
          description: 'Czeka się na wiadomość w tym temacie; dozwolone są + i #. Puste: wystarczy logowanie.',
        },
      },
      { longest: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$' },
    ),
    expectedAnswer,
    timeout(10_000),
  ],
}
