import type { CheckDeclaration } from '../declare.ts'
import { choice, text } from '../settings.ts'
import { credentials, port, timeout, tlsMode } from '../shared-settings.ts'

export const mongodb: CheckDeclaration = {
  check: 'mongodb',
  family: 'databases',
  keywords: ['mongo', 'nosql', 'document', 'database', 'baza danych'],
  types: {
    mongodb: {
      name: { en: 'MongoDB', pl: 'MongoDB' },
      addressPrefix: 'mongodb://',
      addressForm: 'host',
      hasIpv6: true,
    },
  },
  settings: [
    port(27_017),
    ...tlsMode('off', 'tls'),
    ...credentials,
    text(
      'authentication_database',
      {
        en: { label: 'Authentication database', description: 'The database that knows the user.' },
        pl: { label: 'Baza uwierzytelniania', description: 'Baza danych, która zna użytkownika.' },
      },
      { longest: 63, default: 'admin', is_nullable: false, pattern: '^[^\\u0000-\\u001f\\u007f]+$' },
    ),
    choice(
      'replica_role',
      {
        en: { label: 'Role in the replica set', description: 'What the server must be in its replica set.' },
        pl: { label: 'Rola w zbiorze replik', description: 'Czym serwer musi być w swoim zbiorze replik.' },
      },
      [...(['any', 'primary', 'secondary'] as const)],
    ),
    timeout(7000),
  ],
}
