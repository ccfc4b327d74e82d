import type { CheckDeclaration } from '../declare.ts'
import { choice, text } from '../settings.ts'
import { expectedAnswer, port, timeout } from '../shared-settings.ts'

export const ssh: CheckDeclaration = {
  check: 'ssh',
  family: 'servers',
  keywords: ['sftp', 'openssh', 'shell', 'server', 'serwer', 'fingerprint', 'powłoka'],
  types: { ssh: { name: { en: 'SSH', pl: 'SSH' }, addressPrefix: 'ssh://', addressForm: 'host', hasIpv6: true } },
  settings: [
    port(22),
    expectedAnswer,
    text(
      'host_key_fingerprint',
      {
        en: {
          label: 'Host key fingerprint',
          description: 'The fingerprint that the host key must have, as ssh-keygen -l writes it (SHA256:…).',
        },
        pl: {
          label: 'Odcisk klucza hosta',
          description: 'Odcisk, jaki musi mieć klucz hosta, tak jak go pisze ssh-keygen -l (SHA256:…).',
        },
      },
      { longest: 50, pattern: '^SHA256:[A-Za-z0-9+/]{43}$' },
    ),
    choice(
      'host_key_kind',
      {
        en: { label: 'Kind of the host key', description: 'The kind of the key with that fingerprint.' },
        pl: { label: 'Rodzaj klucza hosta', description: 'Rodzaj klucza o tym odcisku.' },
      },
      ['ed25519', 'ecdsa', 'rsa'],
    ),
    timeout(5000),
  ],
}
