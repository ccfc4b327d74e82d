import type { CheckDeclaration } from '../declare.ts'
import { integer, text } from '../settings.ts'
import { credentials, port, timeout, tlsMode } from '../shared-settings.ts'

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
      {
        en: { label: 'Virtual host', description: 'The part of the broker that is entered.' },
        pl: { label: 'Host wirtualny', description: 'Część brokera, do której się wchodzi.' },
      },
      { longest: 255, default: '/', is_nullable: false, pattern: '^[^\\u0000-\\u001f\\u007f]*$' },
    ),
    text(
      'queue',
      {
        en: {
          label: 'Queue',
          description: 'It must be there; it is looked at, never changed. Empty: the login is enough.',
        },
        pl: {
          label: 'Kolejka',
          description: 'Musi istnieć; jest oglądana, nigdy zmieniana. Puste: wystarczy logowanie.',
        },
      },
      { longest: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$' },
    ),
    integer(
      'maximum_messages',
      {
        en: {
          label: 'Most messages in the queue',
          description: 'The check fails when more of them wait. Empty: any number.',
        },
        pl: {
          label: 'Najwięcej wiadomości w kolejce',
          description: 'Błąd, gdy czeka ich więcej. Puste: dowolnie wiele.',
        },
      },
      { standard: null, minimum: 0, maximum: 2_000_000_000 },
    ),
    timeout(10_000),
  ],
}
