import type { CheckDeclaration } from '../declare.ts'
import { choice, credentials, port, text, timeout, tlsMode } from '../settings.ts'

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
      { en: 'Database that knows the user', pl: 'Baza danych, która zna użytkownika' },
      { longest: 63, default: 'admin', is_nullable: false, pattern: '^[^\\u0000-\\u001f\\u007f]+$' },
    ),
    choice(
      'replica_role',
      { en: 'What the server must be in its replica set', pl: 'Czym serwer musi być w zbiorze replik' },
      [...(['any', 'primary', 'secondary'] as const)],
    ),
    timeout(7000),
  ],
}
