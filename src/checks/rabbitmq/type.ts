import type { CheckDeclaration } from '../declare.ts'
import { credentials, integer, port, text, timeout, tlsMode } from '../settings.ts'

export const rabbitmq: CheckDeclaration = {
  check: 'rabbitmq',
  family: 'messaging',
  keywords: ['amqp', 'broker', 'queue', 'message', 'kolejka', 'wiadomość'],
  types: {
    rabbitmq: {
      name: { en: 'RabbitMQ (AMQP)', pl: 'RabbitMQ (AMQP)' },
      ...{ addressPrefix: 'amqp://', addressForm: 'host', hasIpv6: true },
    },
  },
  settings: [
    port(5672),
    ...tlsMode('off', 'tls'),
    ...credentials,
    text(
      'virtual_host',
      { en: 'Virtual host', pl: 'Host wirtualny' },
      { longest: 255, default: '/', is_nullable: false, pattern: '^[^\\u0000-\\u001f\\u007f]*$' },
    ),
    text(
      'queue',
      {
        en: 'Queue that must be there; it is looked at, never changed',
        pl: 'Kolejka, która musi istnieć; jest oglądana, nigdy zmieniana',
      },
      { longest: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$' },
    ),
    integer(
      'maximum_messages',
      { en: 'Fails when more messages wait in the queue', pl: 'Błąd, gdy w kolejce czeka więcej wiadomości' },
      { standard: null, minimum: 0, maximum: 2_000_000_000 },
    ),
    timeout(10_000),
  ],
}
