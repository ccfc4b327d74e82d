import type { CheckDeclaration } from '../declare.ts'
import { choice, expectedAnswer, port, text, timeout } from '../settings.ts'

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
        en: 'Fingerprint that the host key must have, as ssh-keygen -l writes it (SHA256:…)',
        pl: 'Odcisk, jaki musi mieć klucz hosta, tak jak go pisze ssh-keygen -l (SHA256:…)',
      },
      { longest: 50, pattern: '^SHA256:[A-Za-z0-9+/]{43}$' },
    ),
    choice('host_key_kind', { en: 'Kind of that key', pl: 'Rodzaj tego klucza' }, ['ed25519', 'ecdsa', 'rsa']),
    timeout(5000),
  ],
}
